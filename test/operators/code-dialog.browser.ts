import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { click, clickAt, press } from '../support/input.ts';
import { card, NUMERO, read } from './enlarged-code.ts';

describe('the dialog of a code', () => {
  it('opens by Enter, and its code can be scanned', async () => {
    const { gateway, panel, enlarge } = await card();
    enlarge.focus();
    const small = panel.get('img', /QR/).getBoundingClientRect().width;
    await press('Enter');
    const dialog = await panel.openDialog();
    expect(panel.get('dialog', `Vincular ${NUMERO}`)).to.equal(dialog);
    const image = await panel.find('img', `Código QR para vincular ${NUMERO}`, dialog);
    expect(image.getBoundingClientRect().width).to.be.greaterThan(1.25 * small);
    expect(await read(image)).to.equal(await gateway.phone(NUMERO).code());
  });

  it('closes by Escape, Cerrar and a click beside it, and restores the focus', async () => {
    const { panel, enlarge } = await card();
    const ways = [
      () => press('Escape'),
      async () => click(panel.button('Cerrar', await panel.openDialog())),
      // By `closedby`, which WebKitGTK 2.50 lacks.
      ...('closedBy' in HTMLDialogElement.prototype ? [() => clickAt(3, 3)] : []),
    ];
    for (const close of ways) {
      await click(enlarge);
      await panel.openDialog();
      await close();
      await waitFor(() => expect(panel.dialog()).to.equal(null));
      await waitFor(() => expect(panel.focused).to.equal(enlarge));
    }
  });
});
