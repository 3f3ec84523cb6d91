import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { isWebKit } from '../support/browser.ts';
import { click, type } from '../support/input.ts';
import { emulate } from '../support/media.ts';
import { clockOf, passTime } from '../support/notice-clock.ts';
import { openPanel } from '../support/panel.ts';
import { turnPage } from '../support/turn-page.ts';

describe('a page that hides the panel', () => {
  it('is not blocked by an open dialog, which comes back with what was typed', async () => {
    const { panel } = await openPanel({ sessions: [] });
    const button = document.createElement('button');
    button.textContent = 'De la página';
    let clicks = 0;
    button.addEventListener('click', () => {
      clicks += 1;
    });
    document.body.append(button);
    const dialog = await panel.openAddDialog();
    await type('54911');
    panel.element.hidden = true;
    await waitFor(() => expect(dialog.matches(':modal')).to.equal(false));
    await click(button);
    expect(clicks).to.equal(1);
    panel.element.hidden = false;
    await waitFor(() => expect(dialog.matches(':modal'), 'the dialog to be back').to.equal(true));
    expect(panel.textbox('Número de teléfono', dialog).value).to.equal('54911');
    button.remove();
  });

  for (const reducedMotion of [false, true]) {
    it(`does not keep a notice, with reduced motion: ${reducedMotion}`, async function () {
      // WebKit cannot emulate media features.
      if (isWebKit && reducedMotion) this.skip();
      if (reducedMotion) await emulate({ reducedMotion });
      const { gateway, panel } = await openPanel({ sessions: 1 });
      const [numero = ''] = panel.numeros();
      const notify = async () => {
        await gateway.push(`session:authenticated:${numero}`);
        return clockOf(panel, await panel.notice(`Sesión de ${numero} autenticada y lista para usarse`));
      };
      const clock = await notify();
      panel.element.hidden = true;
      passTime(clock);
      await waitFor(() => expect(panel.root.querySelectorAll('.Toastify__toast')).to.have.length(0));
      panel.element.hidden = false;
      passTime(await notify());
      await waitFor(() => expect(panel.notices()).to.have.length(0));
    });
  }
});

describe('a page that is hidden for minutes', () => {
  it('keeps a connection by WebSocket', async () => {
    const { gateway, panel } = await openPanel({ sessions: 1 });
    const [numero = ''] = panel.numeros();
    await waitFor(async () => expect(await gateway.sendRaw('6')).to.equal(1));
    turnPage('hidden').passMinute();
    await panel.hears(gateway, numero);
    expect(await gateway.handshakes()).to.have.length(1);
  });
});
