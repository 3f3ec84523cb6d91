import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { jumpAhead, stopClock } from '../support/browser-clock.ts';
import { consoleErrors } from '../support/console.ts';
import { nextFrame } from '../support/frame.ts';
import type { Gateway } from '../support/gateway.ts';
import { gatherTimers } from '../support/gathered-timers.ts';
import { click, fill, press, type } from '../support/input.ts';
import { openPanel, type Panel } from '../support/panel.ts';

const FROM = '5491155550001';
const OTHER = '5491155550002';
const TO = '5215550002222';
/** Milliseconds between two looks of the panel at the clock. */
const LOOK_MS = 500;
const POST = { method: 'POST', path: '/api/message' };

describe('a test message', () => {
  let gateway: Gateway;
  let panel: Panel;
  let card: HTMLElement;
  let text: HTMLInputElement;
  let number: HTMLInputElement;
  let send: HTMLButtonElement;

  beforeEach(async () => {
    ({ gateway, panel } = await openPanel(
      {
        extensions: [],
        sessions: [
          { numero: FROM, state: 'connected' },
          { numero: OTHER, state: 'disconnected' },
        ],
      },
      { 'notification-timeout': '0' },
    ));
    await show(FROM);
  });

  async function show(numero: string) {
    card = await panel.card(numero);
    text = panel.textbox('Mensaje de Prueba', card);
    number = panel.textbox('Número', card);
    send = panel.button('Enviar Mensaje', card);
  }

  /** The line under the fields, from the description of the number's field. */
  function line(): string {
    const [title, ...ids] = number.getAttribute('aria-describedby')?.split(' ') ?? [];
    expect(panel.root.getElementById(title ?? '')?.textContent).to.include(numeroOf(card));
    return ids.map((id) => panel.root.getElementById(id)?.textContent ?? '').join(' ');
  }

  const toRead = (words: string) => waitFor(() => expect(line()).to.include(words));

  async function write(to: string) {
    await fill(text, 'Hola');
    await fill(number, to);
  }

  it('can be sent again after an exception in the panel', async () => {
    await write(TO);
    Date.now = () => Number.NaN;
    await click(send);
    await panel.notice(`Mensaje enviado a ${TO}`);
    await waitFor(() => expect(send.getAttribute('aria-disabled')).not.to.equal('true'));
  });

  it('is reported as accepted by the server, with the time', async () => {
    await write(TO);
    await click(send);
    await toRead('Aceptado por el servidor a las ');
    const accepted = [0, 1].map((minutes) => `Aceptado por el servidor a las ${clock(minutes)}`);
    expect(accepted).to.include(line());
    await panel.notice(`Mensaje enviado a ${TO}`);
    expect(panel.text).not.to.match(/entregado/i);
    expect(number.ariaInvalid).not.to.equal('true');
  });

  it('is reported as accepted until something is typed in either field', async () => {
    await write(TO);
    for (const field of [number, text]) {
      await click(send);
      await toRead('Aceptado');
      await click(field);
      expect(line()).to.include('Aceptado');
      await type('1');
      expect(line()).to.equal('');
    }
  });

  it('is sent by Enter in either field', async () => {
    await write(TO);
    await press('Enter');
    await toRead('Aceptado');
    await click(text);
    await type('!');
    await press('Enter');
    await toRead('Aceptado');
    expect(await gateway.requests('POST')).to.have.length(2);
  });

  it('that is pending has a busy button with its name and the focus, and nothing moves', async () => {
    const release = await gateway.hold(POST);
    await write(TO);
    const place = () => send.getBoundingClientRect().y - card.getBoundingClientRect().y;
    const before = place();
    await click(send);
    await waitFor(() => expect(send.ariaDisabled).to.equal('true'));
    expect(panel.focused).to.equal(send);
    expect(panel.button('Enviar Mensaje', card)).to.equal(send);
    await release();
    await toRead('Aceptado');
    expect(send.ariaDisabled).not.to.equal('true');
    expect(place()).to.equal(before);
  });

  it('without an answer after half a minute is reported politely, until the answer comes', async () => {
    const release = await gateway.hold(POST);
    await write(TO);
    stopClock();
    const look = gatherTimers((ms) => ms === LOOK_MS);
    await click(send);
    await waitFor(() => expect(send.ariaDisabled).to.equal('true'));
    const place = panel.root.getElementById(number.getAttribute('aria-describedby')?.split(' ').at(-1) ?? '');
    expect(place?.ariaLive).to.equal('polite');
    jumpAhead(29_000);
    expect(look(), 'looks at the clock').to.be.above(0);
    await nextFrame();
    expect(line()).to.equal('');
    jumpAhead(1_000);
    look();
    await toRead('El servidor todavía no responde: no se sabe si el mensaje salió.');
    await waitFor(async () => expect(await gateway.requests('POST')).to.have.length(1));
    await release();
    await toRead('Aceptado por el servidor a las ');
    expect(line()).not.to.include('todavía');
    expect(place?.ariaLive).not.to.equal('polite');
  });

  it('to an invalid number marks that field', async () => {
    consoleErrors();
    await write('cinco');
    await click(send);
    await toRead(
      'No se envió el mensaje: El número de destino no es válido. Escribe solo dígitos, con el código de país.',
    );
    expect(number.ariaInvalid).to.equal('true');
    await panel.notice('El número de destino no es válido.');
    await fill(number, TO);
    expect(number.ariaInvalid).not.to.equal('true');
    expect(line()).to.equal('');
    await fill(number, '');
    await click(send);
    await toRead('No se envió el mensaje: El número de destino no es válido.');
  });
});

const numeroOf = ({ dataset }: HTMLElement) => dataset.numero ?? '';

/** The time of day so many minutes ago as hh:mm. */
function clock(minutesAgo: number): string {
  return new Date(Date.now() - minutesAgo * 60_000).toTimeString().slice(0, 5);
}
