import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { jumpAhead } from '../support/browser-clock.ts';
import { holdClipboard, pasted } from '../support/clipboard.ts';
import { consoleErrors } from '../support/console.ts';
import type { Gateway } from '../support/gateway.ts';
import { click, press } from '../support/input.ts';
import { openPanel, type Panel } from '../support/panel.ts';

const NUMERO = '5491155550001';
const LINK = `/api/session/${NUMERO}/link`;
const URL = 'https://gateway.example/l/#Zr4u7xAbcDeF-GKaPdSgVk';
const LIST = { method: 'GET', path: '/api/session/sessions' };
const MINUTES = 60_000;

describe('a link for who has the phone', () => {
  let gateway: Gateway;
  let panel: Panel;
  let dialog: HTMLDialogElement;

  beforeEach(async () => {
    ({ gateway, panel } = await openPanel({
      extensions: ['link', 'details'],
      sessions: [{ numero: NUMERO, state: 'disconnected' }],
    }));
    await gateway.answer(
      { method: 'POST', path: LINK },
      { json: { id: 'own', url: URL, expires: Date.now() + 10 * MINUTES } },
    );
  });

  const more = () => panel.find('button', `Más acciones de ${NUMERO}`);
  async function open() {
    (await more()).focus();
    await press('Enter');
    await waitFor(() => expect(panel.focused?.textContent).to.equal('Enviar enlace'));
    await press('Enter');
    dialog = await panel.openDialog();
  }
  const tell = (link: object | null) => gateway.push(`session:details:${NUMERO}`, { link });
  const toSay = (text: string) => waitFor(() => expect(dialog.textContent).to.include(text));
  const created = () => gateway.requests('POST', LINK);

  it('is made at once, with the time that is left, and the focus on its copy', async () => {
    await open();
    await toSay(URL);
    expect(panel.get('timer', undefined, dialog).textContent).to.match(/^Vence en (9:\d\d|10:00)$/);
    await waitFor(() => expect(panel.focused?.textContent).to.equal('Copiar'));
    expect(await created()).to.have.length(1);
    await press('Escape');
    await waitFor(() => expect(panel.dialog()).to.equal(null));
    expect(panel.focused).to.equal(await more());
  });

  it('is copied', async () => {
    await open();
    await toSay(URL);
    await holdClipboard();
    await press('Enter');
    await panel.notice('Copiado');
    await press('Escape');
    await waitFor(() => expect(panel.dialog()).to.equal(null));
    expect(await pasted()).to.equal(URL);
  });

  it("ends at a time of the computer's clock, though that is an hour ahead", async () => {
    // Half a minute off the next: nothing here takes that long.
    const end = Math.ceil(Date.now() / MINUTES) * MINUTES + 9.5 * MINUTES;
    await gateway.answer({ method: 'POST', path: LINK }, { json: { id: 'own', url: URL, expires: end } });
    jumpAhead(60 * MINUTES);
    await panel.element.refresh();
    await open();
    await toSay(URL);
    expect(panel.get('timer', undefined, dialog).textContent).to.match(/^Vence en (9|10):\d\d$/);
    const shown = new Date(end + 60 * MINUTES).toTimeString().slice(0, 5);
    await tell({ id: 'own', expires: end });
    await press('Escape');
    await waitFor(() => expect(panel.text).to.include(`vence a las ${shown}`));
  });

  it('says when it was opened, and that it serves no more once somebody else ended it', async () => {
    await open();
    await toSay(URL);
    const expires = Date.now() + 10 * MINUTES;
    await tell({ id: 'own', expires });
    await tell({ id: 'own', expires, opened: Date.now() });
    await toSay('Enlace abierto a las ');
    await tell(null);
    await toSay('Este enlace ya no sirve.');
    expect(dialog.textContent).not.to.include(URL);
    await click(panel.button('Crear otro', dialog));
    await toSay(URL);
  });

  it('serves no more once another was made, although both end at the same time', async () => {
    await open();
    await toSay(URL);
    const expires = Date.now() + 10 * MINUTES;
    await tell({ id: 'own', expires });
    await tell({ id: 'later', expires });
    await toSay('Crear otro lo anula');
    expect(dialog.textContent).not.to.include(URL);
  });

  it('serves no more where the other one is all that was announced', async () => {
    await tell({ id: 'earlier', expires: Date.now() + 5 * MINUTES });
    await waitFor(() => expect(panel.text).to.include('Enlace enviado'));
    await open();
    await click(await panel.find('button', 'Crear otro', dialog));
    await toSay(URL);
    await tell({ id: 'later', expires: Date.now() + 10 * MINUTES });
    await toSay('Crear otro lo anula');
    expect(dialog.textContent).not.to.include(URL);
  });

  it('says when its time is over', async () => {
    await open();
    await toSay(URL);
    jumpAhead(11 * MINUTES);
    await toSay('Este enlace ya no sirve.');
    expect(panel.all('button', 'Anular', dialog)).to.deep.equal([]);
  });

  it('that is out is not shown again: another one can be made, which ends it', async () => {
    await tell({ id: 'earlier', expires: Date.now() + 5 * MINUTES });
    await waitFor(() => expect(panel.text).to.include('Enlace enviado, vence a las'));
    await open();
    await toSay('No se puede volver a mostrar');
    expect(await created()).to.deep.equal([]);
    const another = panel.button('Crear otro', dialog);
    another.focus();
    await press('Enter');
    await toSay(URL);
    await waitFor(() => expect(panel.focused?.textContent).to.equal('Copiar'));
    await tell({ id: 'own', expires: Date.now() + 10 * MINUTES });
    await waitFor(() => expect(dialog.textContent).to.include(URL));
  });

  it('that is out can be ended', async () => {
    await gateway.answer({ method: 'DELETE', path: LINK }, { status: 204 });
    await tell({ id: 'earlier', expires: Date.now() + 5 * MINUTES });
    await waitFor(() => expect(panel.text).to.include('Enlace enviado'));
    await open();
    await click(await panel.find('button', 'Anular', dialog));
    await waitFor(() => expect(panel.dialog()).to.equal(null));
    expect(await gateway.requests('DELETE', LINK)).to.have.length(1);
    expect(panel.focused).to.equal(await more());
  });

  it('that cannot be made is one sentence, and can be asked for again', async () => {
    consoleErrors();
    await gateway.answer(
      { method: 'POST', path: LINK, times: 1 },
      { status: 503, json: { message: 'Otra pasarela la está tomando.' } },
    );
    await open();
    await toSay('No se pudo crear el enlace: Otra pasarela la está tomando.');
    await click(panel.button('Reintentar', dialog));
    await toSay(URL);
  });

  it('is not needed once the phone is linked', async () => {
    await open();
    await toSay(URL);
    // The gateway has not heard of what is pushed here.
    await gateway.hold(LIST);
    await gateway.push(`session:ready:${NUMERO}`);
    await toSay('Ya está conectada');
    expect(dialog.textContent).not.to.include(URL);
    await press('Escape');
    await waitFor(() => expect(panel.dialog()).to.equal(null));
    // Its menu, which offered nothing else, has gone.
    expect(panel.focused?.closest('article')).to.equal(await panel.card(NUMERO));
  });

  it('is made by a click only: not when the phone, linked meanwhile, is unlinked again', async () => {
    await open();
    await toSay(URL);
    await gateway.hold(LIST);
    await gateway.push(`session:ready:${NUMERO}`);
    await toSay('Ya está conectada');
    await gateway.push(`session:disconnected:${NUMERO}`);
    await toSay('Este enlace ya no sirve.');
    expect(dialog.textContent).not.to.include(URL);
    expect(await created()).to.have.length(1);
    await click(panel.button('Crear otro', dialog));
    await toSay(URL);
    expect(await created()).to.have.length(2);
  });

  it('says when its session goes', async () => {
    await open();
    await toSay(URL);
    await gateway.answer(LIST, { json: [] });
    await panel.element.refresh();
    await toSay('Esta sesión ya no está en la lista');
  });

  it('that is out can be ended, though the server has not answered for another', async () => {
    await gateway.answer({ method: 'DELETE', path: LINK }, { status: 204 });
    await tell({ id: 'earlier', expires: Date.now() + 5 * MINUTES });
    await waitFor(() => expect(panel.text).to.include('Enlace enviado'));
    await gateway.hold({ method: 'POST', path: LINK });
    await open();
    await click(await panel.find('button', 'Crear otro', dialog));
    await waitFor(async () => expect(await created()).to.have.length(1));
    await press('Escape');
    await waitFor(() => expect(panel.dialog()).to.equal(null));
    await open();
    await click(await panel.find('button', 'Anular', dialog));
    // Long before the other is given up.
    await waitFor(async () => expect(await gateway.requests('DELETE', LINK)).to.have.length(1));
  });

  it('is asked for again when it is opened again while the server has not answered', async () => {
    await gateway.hold({ method: 'POST', path: LINK, times: 1 });
    await open();
    await waitFor(async () => expect(await created()).to.have.length(1));
    await press('Escape');
    await waitFor(() => expect(panel.dialog()).to.equal(null));
    await open();
    await toSay(URL);
  });
});
