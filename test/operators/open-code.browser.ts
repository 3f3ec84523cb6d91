import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { isWebKit } from '../support/browser.ts';
import { jumpAhead, stopClock } from '../support/browser-clock.ts';
import { click, press } from '../support/input.ts';
import { existing } from '../support/panel.ts';
import { resize } from '../support/viewport.ts';
import { card, enlarged, NUMERO, read } from './enlarged-code.ts';

const EXPIRED = 63_000;

describe('the open dialog of a code', () => {
  for (const [width, height] of [
    [280, 560],
    [320, 568],
    [390, 844],
    [667, 375],
    [800, 1000],
    [1280, 800],
  ] as const) {
    it(`is as large as can be scanned on a screen of ${width} × ${height} and cuts nothing off`, async function () {
      // WebKit's window cannot be so narrow.
      if (isWebKit && width < 447) this.skip();
      const { gateway, panel, enlarge } = await card();
      await resize(panel, width, height);
      await click(enlarge);
      const dialog = await panel.openDialog();
      const image = await panel.find('img', /QR/, dialog);
      const box = image.getBoundingClientRect();
      expect(Math.min(box.left, box.top)).to.be.at.least(0);
      expect(box.right).to.be.at.most(innerWidth);
      expect(box.bottom).to.be.at.most(innerHeight);
      expect(box.width).to.be.greaterThan(Math.min(0.8 * Math.min(width, height), 340));
      expect(dialog.scrollWidth, 'no scroll bar below').to.be.at.most(dialog.clientWidth);
      expect(await read(image)).to.equal(await gateway.phone(NUMERO).code());
      // While the panel is there: WebKit misses a change of the window's size while no root uses the sheet.
      await resize(panel, 1000, 800);
    });
  }

  it('shows each new code', async () => {
    const { gateway, dialog } = await enlarged();
    // The panel learns short lifetimes from codes that follow soon: the last one could expire while it is read.
    stopClock();
    for (const text of ['2@second', '2@third']) {
      await gateway.push(`session:qr:${NUMERO}`, text);
      await waitFor(async () => expect(await read(dialog)).to.equal(text));
    }
  });

  it('stays open after the scan and shows the progress', async () => {
    const { gateway, panel, dialog } = await enlarged();
    const phone = gateway.phone(NUMERO);
    await phone.setFault('stuck');
    await phone.scan();
    const status = () => dialog.querySelector('[role="status"]')?.textContent;
    await waitFor(() => expect(status()).to.include('El teléfono se está vinculando.'));
    expect(panel.all('img', /QR/, dialog)).to.deep.equal([]);
    await phone.setFault(null);
    await waitFor(() => expect(status()).to.include('CONNECTED'));
    expect(status()).to.include('Conectada: envía y recibe mensajes.');
    expect(panel.dialog()).to.equal(dialog);
    expect(dialog.contains(panel.focused)).to.equal(true);
    await press('Escape');
    const title = panel.get('heading', NUMERO, await panel.card(NUMERO));
    await waitFor(() => expect(panel.focused).to.equal(title));
  });

  it("covers an expired code, and 'Generar otro' brings one that can be scanned", async () => {
    const { gateway, panel, dialog } = await enlarged();
    jumpAhead(EXPIRED);
    const another = await panel.find('button', 'Generar otro', dialog);
    expect(await read(dialog)).to.equal(undefined);
    await click(another);
    // It may stand above the code.
    const notice = await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
    await click(panel.button('Cerrar', notice));
    await waitFor(async () =>
      expect(existing(await read(dialog))).to.equal(await gateway.phone(NUMERO).code()),
    );
    expect(panel.dialog()).to.equal(dialog);
    expect(dialog.contains(panel.focused)).to.equal(true);
  });

  it('says when its session was deleted', async () => {
    const { gateway, panel, dialog } = await enlarged();
    await fetch(`${gateway.url}/api/session/${NUMERO}`, { method: 'DELETE' });
    await panel.element.refresh();
    await waitFor(() => expect(dialog.textContent).to.include('Esta sesión ya no está en la lista.'));
    await click(panel.button('Cerrar', dialog));
    await waitFor(() => expect(panel.focused?.matches('h2'), 'the focus above the cards').to.equal(true));
  });

  it('closes at its top right, in sight on a small screen too', async () => {
    const { panel, dialog } = await enlarged();
    for (const [width, height] of [
      [360, 740],
      [1366, 640],
    ] as const) {
      await resize(panel, width, height);
      const box = dialog.getBoundingClientRect();
      const { right, top, bottom } = panel.button('Cerrar', dialog).getBoundingClientRect();
      expect(box.right - right).to.be.within(0, 24);
      expect(top - box.top).to.be.within(0, 24);
      expect(bottom).to.be.at.most(innerHeight);
    }
    await resize(panel, 1000, 800);
  });

  it('tells the time that is left of a code, and nothing beside what the steps say', async () => {
    const { gateway, panel, dialog } = await enlarged();
    await gateway.push(`session:qr:${NUMERO}`, '2@second');
    const timer = await panel.find('timer', undefined, dialog);
    expect(timer.textContent).to.match(/^Vence en 0:\d\d$/);
    expect(dialog.textContent).not.to.include('AUTENTICANDO').and.not.to.include('Escanéalo');
  });

  it('is titled with the name of the session, above its numero', async () => {
    const { panel, dialog } = await enlarged();
    panel.element.labels = { [NUMERO]: { label: 'Almacén Central' } };
    await panel.find('heading', 'Vincular Almacén Central', dialog);
    expect(dialog.querySelector('.dialog-title')?.textContent).to.equal(`Vincular Almacén Central${NUMERO}`);
  });

  it('shows the four steps, and what a passkey means', async () => {
    const { panel, dialog } = await enlarged();
    expect(panel.all('listitem', undefined, dialog).map(({ textContent }) => textContent)).to.deep.equal([
      'Abre WhatsApp en el teléfono de este número',
      'Toca ⋮ (Android) o Configuración (iPhone) → Dispositivos vinculados',
      'Toca Vincular un dispositivo',
      'Apunta la cámara a este código',
    ]);
    const explanation = [...dialog.querySelectorAll('p')].find((p) =>
      p.textContent.startsWith('Confírmala en el teléfono'),
    );
    expect(explanation?.checkVisibility()).to.equal(false);
    const summary = await waitFor(() => existing(dialog.querySelector('summary')));
    expect(summary.textContent).to.equal('Si el teléfono pide una llave de acceso');
    await click(summary);
    await waitFor(() => expect(explanation?.checkVisibility(), 'the explanation').to.equal(true));
  });
});
