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
const PAIR = { method: 'POST', path: `/api/session/${NUMERO}/pairing` };
const LABEL = 'Escribir un código';

describe('a code to type on the phone', () => {
  let gateway: Gateway;
  let panel: Panel;
  let dialog: HTMLDialogElement;

  beforeEach(async () => {
    ({ gateway, panel } = await openPanel({
      extensions: ['pairing'],
      sessions: [{ numero: NUMERO, state: 'qr' }],
    }));
    await click(await panel.find('button', /Ampliar/));
    dialog = await panel.openDialog();
  });

  const answer = (code = 'ABCD1234') =>
    gateway.answer(PAIR, { json: { code, expires: Date.now() + 160_000 } });
  const ask = async () => {
    (await panel.find('button', LABEL, dialog)).focus();
    await press('Enter');
  };
  const pressed = () =>
    panel
      .all('button', undefined, dialog)
      .filter(({ ariaPressed }) => ariaPressed === 'true')
      .map(({ textContent }) => textContent);
  const toSay = (text: string) => waitFor(() => expect(dialog.textContent).to.include(text));

  it('is not offered where the server does not announce it', async () => {
    await panel.find('button', LABEL, dialog);
    await gateway.announce();
    await waitFor(() => expect(panel.all('button', LABEL, dialog)).to.deep.equal([]));
  });

  it('is shown when it is pushed, though the answer was lost', async () => {
    consoleErrors();
    await gateway.answer(PAIR, { status: 504 });
    await ask();
    await panel.notice('Request failed with status code 504');
    await gateway.push(`session:code:${NUMERO}`, { code: 'ABCD1234', expires: Date.now() + 160_000 });
    await toSay('ABCD-1234');
  });

  it('takes the place of the one to scan, in two groups, with its steps and the time that is left, by keyboard alone', async () => {
    expect(pressed()).to.deep.equal(['Escanear']);
    await answer();
    await ask();
    await toSay('ABCD-1234');
    await toSay('Vincular con el número de teléfono');
    expect(dialog.textContent).not.to.include('Apunta la cámara');
    const timer = panel.get('timer', undefined, dialog);
    expect(timer.textContent).to.match(/^Vence en [12]:\d\d$/);
    const before = timer.textContent;
    await waitFor(() => expect(timer.textContent).not.to.equal(before));
    expect(timer.ariaLive).to.equal(null);
    const told = panel.all('status', undefined, dialog).map(({ textContent }) => textContent);
    expect(told).to.include('Código: A B C D - 1 2 3 4');
    expect(panel.focused?.textContent).to.equal(LABEL);
    expect(pressed()).to.deep.equal([LABEL]);
    expect(panel.all('img', /QR/, dialog)).to.deep.equal([]);
    panel.button('Escanear', dialog).focus();
    await press('Enter');
    expect(pressed()).to.deep.equal(['Escanear']);
    expect(panel.get('img', /QR/, dialog).checkVisibility()).to.equal(true);
    expect(dialog.textContent).not.to.include('ABCD-1234');
    // It is still valid.
    await ask();
    await toSay('ABCD-1234');
    expect(await gateway.requests('POST', PAIR.path)).to.have.length(1);
  });

  it('is copied by one press, as it is written', async () => {
    await answer();
    await ask();
    await toSay('ABCD-1234');
    await holdClipboard();
    panel.button('Copiar código', dialog).focus();
    await press('Enter');
    await panel.notice('Copiado');
    await press('Escape');
    await waitFor(() => expect(panel.dialog()).to.equal(null));
    expect(await pasted()).to.equal('ABCD-1234');
  });

  it('says when its time is over, and another can be had', async () => {
    await answer();
    await ask();
    await toSay('ABCD-1234');
    panel.button('Copiar código', dialog).focus();
    jumpAhead(161_000);
    await toSay('Código vencido');
    expect(dialog.textContent).not.to.include('ABCD-1234');
    expect(panel.focused?.textContent).to.equal('Generar otro');
    await answer('WXYZ5678');
    await press('Enter');
    await toSay('WXYZ-5678');
  });

  it('that somebody else asked for is shown when it is wanted here, and goes when the server ends it', async () => {
    await gateway.pushAll([
      [`session:code:${NUMERO}`, { code: 'ABCD1234', expires: Date.now() + 160_000 }],
      ['session:change_state', { numero: NUMERO, state: 'PAIRING' }],
    ]);
    // Pushes arrive in order.
    await waitFor(() => expect(panel.text).to.include('PAIRING'));
    expect(dialog.textContent).to.include('Apunta la cámara');
    expect(dialog.textContent).not.to.include('ABCD-1234');
    panel.button(LABEL, dialog).focus();
    await press('Enter');
    await toSay('ABCD-1234');
    expect(dialog.textContent).not.to.include('Apunta la cámara');
    expect(await gateway.requests('POST', PAIR.path)).to.deep.equal([]);
    await gateway.push(`session:code:${NUMERO}`, null);
    await waitFor(() => expect(dialog.textContent).not.to.include('ABCD-1234'));
    expect(panel.button('Generar otro', dialog).disabled).to.equal(false);
  });

  it('that the server refuses is one sentence', async () => {
    consoleErrors();
    await gateway.answer(PAIR, { status: 409, json: { message: 'Esta sesión no espera un teléfono.' } });
    await ask();
    await panel.notice('Request failed with status code 409: Esta sesión no espera un teléfono.');
    expect(panel.focused?.textContent).to.equal(LABEL);
    await answer();
    await click(panel.button('Generar otro', dialog));
    await toSay('ABCD-1234');
  });

  it('leaves the focus on the button that closes the dialog once the phone is linked', async () => {
    await answer();
    await ask();
    await toSay('ABCD-1234');
    await gateway.push(`session:authenticated:${NUMERO}`);
    await panel.notice(`Sesión de ${NUMERO} autenticada y lista para usarse`);
    await gateway.hold({ method: 'GET', path: '/api/session/sessions' });
    await gateway.push(`session:ready:${NUMERO}`);
    await waitFor(() => expect(panel.all('button', 'Copiar código', dialog)).to.deep.equal([]));
    // A notice in the dialog has a button of the same name.
    const close = dialog.querySelector('.dialog-title button');
    await waitFor(() => expect(panel.focused).to.equal(close));
  });
});
