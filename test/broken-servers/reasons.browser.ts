import '../../src/index.ts';
import { expect } from 'chai';
import { startGateway } from '../support/gateway.ts';
import { click, fill } from '../support/input.ts';
import { mountReady } from '../support/panel.ts';

const NUMERO = '5491155550001';
const CONNECTED = { sessions: [{ numero: NUMERO, state: 'connected' as const }] };
const START = { method: 'GET', path: '/api/session/levanta/*' };
const BARE = 'Request failed with status code 409';
const LONG = 'ñ'.repeat(301);

const JSON_TYPE = { 'content-type': 'application/json' };

describe('what the server itself says of a failure', () => {
  const cases = [
    {
      what: 'comes after the text of the catalogue',
      body: '{"statusCode":409,"message":"La sesión no está conectada"}',
      notice: `${BARE}: La sesión no está conectada`,
    },
    {
      what: 'may be all that the answer has, whatever its type is called',
      headers: { 'content-type': 'application/problem+json' },
      body: '{"message":"  Espera un momento\\n"}',
      notice: `${BARE}: Espera un momento`,
    },
    {
      what: 'may be as long as a notice has room for',
      body: JSON.stringify({ message: LONG.slice(1) }),
      notice: `${BARE}: ${LONG.slice(1)}`,
    },
    {
      what: 'is cut where it is longer',
      body: JSON.stringify({ message: LONG }),
      notice: `${BARE}: ${LONG.slice(2)}…`,
    },
    {
      what: 'is cut between characters',
      body: JSON.stringify({ message: '😀'.repeat(400) }),
      notice: `${BARE}: ${'😀'.repeat(299)}…`,
    },
  ];
  for (const { what, headers = JSON_TYPE, body, notice } of cases) {
    it(what, async () => {
      const gateway = await startGateway(CONNECTED);
      const panel = await mountReady(gateway);
      await gateway.answer(START, { status: 409, headers, body });
      await click(panel.button('Levantar Sesión'));
      expect((await panel.notice(notice)).getAttribute('role')).to.equal('alert');
    });
  }

  const silent = [
    { what: 'absent', body: '{"error":"Conflict"}' },
    { what: 'empty', body: '{"message":" "}' },
    { what: 'a number', body: '{"message":5}' },
    { what: 'a list', body: '{"message":["uno","dos"]}' },
    { what: 'an object', body: '{"message":{"text":"uno"}}' },
    { what: 'in a list', body: '[{"message":"uno"}]' },
    { what: 'in null', body: 'null' },
    { what: 'in no JSON', body: 'message: uno' },
    { what: 'in a page', headers: { 'content-type': 'text/html' }, body: '<p>message</p>' },
    { what: 'in an empty answer', body: '' },
  ];
  for (const { what, headers = JSON_TYPE, body } of silent) {
    it(`is left out where it is ${what}`, async () => {
      const gateway = await startGateway(CONNECTED);
      const panel = await mountReady(gateway);
      await gateway.answer(START, { status: 409, headers, body });
      await click(panel.button('Levantar Sesión'));
      await panel.notice(BARE);
    });
  }

  it('stays text where it is HTML', async () => {
    const gateway = await startGateway(CONNECTED);
    const panel = await mountReady(gateway);
    const message = '<img src="x" onerror="alert(1)"><b>Lo siento</b>';
    await gateway.answer(START, { status: 409, json: { message } });
    await click(panel.button('Levantar Sesión'));
    const notice = await panel.notice(`${BARE}: ${message}`);
    expect(notice.querySelector('img, b')).to.equal(null);
  });

  it('takes the place of our own words about signing in', async () => {
    const gateway = await startGateway(CONNECTED);
    const panel = await mountReady(gateway);
    await gateway.answer(START, { status: 401, json: { message: 'Falta el token de acceso' } });
    await click(panel.button('Levantar Sesión'));
    await panel.notice('Request failed with status code 401: Falta el token de acceso');
  });

  it('reaches the page too, by its event', async () => {
    const gateway = await startGateway(CONNECTED);
    const panel = await mountReady(gateway);
    const heard: string[] = [];
    panel.element.addEventListener('wo-error', ({ detail }) => heard.push(detail.error.message));
    await gateway.answer(START, { status: 409, json: { message: 'Ahora no' } });
    await click(panel.button('Levantar Sesión'));
    await panel.notice(`${BARE}: Ahora no`);
    expect(heard).to.deep.equal([`${BARE}: Ahora no`]);
  });

  it('is what the reference gateway says', async () => {
    const gateway = await startGateway(CONNECTED);
    const panel = await mountReady(gateway);
    await fill(panel.textbox('Mensaje de Prueba'), 'hola');
    await fill(panel.textbox('Número'), '1234567890123456');
    await click(panel.button('Enviar Mensaje'));
    await panel.notice('Request failed with status code 422: El número 1234567890123456 no tiene WhatsApp');
  });
});
