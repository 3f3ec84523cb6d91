import '../../src/index.ts';
import { expect } from 'chai';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { click, fill } from '../support/input.ts';
import { mountReady, type Panel } from '../support/panel.ts';

const FROM = '5215550001111';
const TO = '5215550002222';
const POST = { method: 'POST', path: '/api/message' };

describe('the test message (spec §3, §7)', () => {
  let gateway: Gateway;
  let panel: Panel;
  let text: HTMLInputElement;
  let number: HTMLInputElement;
  let send: HTMLButtonElement;

  beforeEach(async () => {
    gateway = await startGateway({ sessions: [{ numero: FROM, state: 'connected' }] });
    panel = await mountReady(gateway);
    const card = await panel.card(FROM);
    text = panel.textbox('Mensaje de Prueba', card);
    number = panel.textbox('Número', card);
    send = panel.button('Enviar Mensaje', card);
  });

  it('is posted with the payload of the contract, and arrives on the phone', async () => {
    await fill(text, 'Hola, ¿llegó? <b>100 %</b>');
    await fill(number, TO);
    await click(send);
    await panel.notice(`Mensaje enviado a ${TO}`);
    const [request, ...more] = await gateway.requests('POST');
    expect(more).to.deep.equal([]);
    expect(request?.path).to.equal('/api/message');
    expect(request?.headers['content-type']).to.match(/^application\/json/);
    expect(request?.body).to.deep.equal({
      mensaje: { cuerpo: 'Hola, ¿llegó? <b>100 %</b>', contactos: [Number(TO)] },
      remitente: FROM,
      autorespuesta: false,
      ids: [1],
      encolar: false,
    });
    const messages = await gateway.phone(TO).messages();
    expect(messages.map(({ text, from }) => ({ text, from }))).to.deep.equal([
      { text: 'Hola, ¿llegó? <b>100 %</b>', from: FROM },
    ]);
  });

  it('drops spaces, hyphens, parentheses, dots and a leading + of the number (design §3)', async () => {
    await fill(text, 'Hola');
    await fill(number, ' +52 1 (555) 000-22.22 ');
    await click(send);
    await panel.notice(`Mensaje enviado a ${TO}`);
    const [request] = await gateway.requests('POST');
    expect(request?.body).to.have.nested.property('mensaje.contactos[0]', Number(TO));
  });

  for (const wrong of ['', 'cinco', '555 000 a', '++5215550002222', '12345678901234567890']) {
    it(`is not sent to "${wrong}", which is told in red (design §3)`, async () => {
      await fill(text, 'Hola');
      await fill(number, wrong);
      await click(send);
      const notice = await panel.notice('El número de destino no es válido');
      expect(notice.getAttribute('role')).to.equal('alert');
      expect(await gateway.requests('POST')).to.deep.equal([]);
      expect(text.value).to.equal('Hola');
    });
  }

  it('tells a failure in red and keeps both fields (design §3)', async () => {
    await gateway.answer({ ...POST, times: 1 }, { status: 502 });
    await fill(text, 'Hola');
    await fill(number, TO);
    await click(send);
    const notice = await panel.notice('Request failed with status code 502');
    expect(notice.getAttribute('role')).to.equal('alert');
    expect([text.value, number.value]).to.deep.equal(['Hola', TO]);
    await click(send);
    await panel.notice(`Mensaje enviado a ${TO}`);
  });
});
