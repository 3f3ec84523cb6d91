import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { jumpAhead } from '../support/browser-clock.ts';
import type { Gateway } from '../support/gateway.ts';
import { fill, press, type } from '../support/input.ts';
import { openPanel, type Panel } from '../support/panel.ts';

const NUMERO = '5491155550001';
const TO = '5215550002222';
const ACCEPTED = /^Aceptado por el servidor a las \d{1,2}:\d\d$/;

describe('what becomes of a test message', () => {
  let gateway: Gateway;
  let panel: Panel;
  let number: HTMLInputElement;

  async function send(...extensions: 'ack'[]) {
    ({ gateway, panel } = await openPanel({
      extensions,
      sessions: [{ numero: NUMERO, state: 'connected' }],
    }));
    await gateway.answer({ method: 'POST', path: '/api/message' }, { json: { id: 'm1' } });
    // Pushes arrive in order: the announcement is there when this is.
    await gateway.push('session:change_state', { numero: NUMERO, state: 'OPENING' });
    await waitFor(() => expect(panel.text).to.include('OPENING'));
    await fill(panel.textbox('Mensaje de Prueba'), 'Hola');
    number = panel.textbox('Número');
    await fill(number, TO);
    await press('Enter');
    await panel.notice(`Mensaje enviado a ${TO}`);
  }
  const ack = (status: string, more: object = {}) =>
    gateway.push('message:ack', { id: 'm1', remitente: NUMERO, contacto: Number(TO), status, ...more });
  const line = () => panel.advice(number);
  const toSay = (text: string | RegExp) => waitFor(() => expect(line()).to.match(new RegExp(text)));

  it('is told as the acks come, and never taken back', async () => {
    await send('ack');
    await toSay(ACCEPTED);
    await ack('server');
    await toSay(/^Aceptado por WhatsApp a las /);
    await ack('read');
    await toSay(/^Leído a las /);
    await ack('device');
    await gateway.push('session:change_state', { numero: NUMERO, state: 'PAIRING' });
    await waitFor(() => expect(panel.text).to.include('PAIRING'));
    expect(line()).to.match(/^Leído/);
  });

  it('may be that it failed, and why', async () => {
    await send('ack');
    await ack('failed', { reason: 'El número no usa WhatsApp.' });
    await toSay(/^No se entregó: El número no usa WhatsApp\.$/);
  });

  it('goes when another message is written', async () => {
    await send('ack');
    await ack('device');
    await toSay(/^Entregado/);
    panel.textbox('Mensaje de Prueba').focus();
    await type('x');
    await waitFor(() => expect(line()).to.equal(''));
  });

  it('is not waited for where the server does not tell', async () => {
    await send();
    await toSay(ACCEPTED);
    jumpAhead(31_000);
    await gateway.push('session:change_state', { numero: NUMERO, state: 'PAIRING' });
    await waitFor(() => expect(panel.text).to.include('PAIRING'));
    expect(line()).to.match(ACCEPTED);
  });
});
