import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { isWebKit } from '../support/browser.ts';
import { click, clickAt, press } from '../support/input.ts';
import { emulate } from '../support/media.ts';
import { card, enlarged, NUMERO, read } from './enlarged-code.ts';

describe('the dialog of a code', () => {
  it('opens by Enter, and its code can be scanned', async () => {
    const { gateway, panel, enlarge } = await card();
    enlarge.focus();
    const small = panel.get('img', /QR/).getBoundingClientRect().width;
    await press('Enter');
    const dialog = await panel.openDialog();
    expect(panel.get('dialog', `Vincular ${NUMERO}`)).to.equal(dialog);
    const image = await panel.find('img', `Código QR para vincular ${NUMERO}`, dialog);
    expect(image.getBoundingClientRect().width).to.be.greaterThan(1.5 * small);
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

  it('gives way to a short sign of success when it is scanned, where motion is allowed', async function () {
    // WebKit cannot emulate media features.
    if (isWebKit) this.skip();
    const signs = (root: ParentNode) => root.querySelectorAll('.scanned');
    for (const reducedMotion of [false, true]) {
      await emulate({ reducedMotion });
      const { gateway, panel } = await enlarged();
      let seen = 0;
      panel.root.addEventListener('animationstart', ({ target }) => {
        if (target instanceof Element && target.matches('.scanned')) seen += 1;
      });
      await gateway.phone(NUMERO).scan();
      await waitFor(() => expect(panel.text).to.include('Conectada: envía y recibe mensajes.'));
      // On the card, and in the dialog.
      if (!reducedMotion) await waitFor(() => expect(seen).to.equal(2));
      await waitFor(() =>
        expect([...signs(panel.root)].filter((sign) => sign.checkVisibility())).to.deep.equal([]),
      );
      expect(seen).to.equal(reducedMotion ? 0 : 2);
      panel.element.remove();
    }
  });
});
