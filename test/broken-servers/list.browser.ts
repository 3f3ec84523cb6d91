import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { consoleErrors } from '../support/console.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { click, fill } from '../support/input.ts';
import { mount, mountReady, type Panel } from '../support/panel.ts';

const LIST = { method: 'GET', path: '/api/session/sessions' };
const NUMERO = '5491155550001';

/** The panel says that there is no list, why, and loads it when asked again. */
async function expectRecovery(panel: Panel, gateway: Gateway, reason: string): Promise<void> {
  await panel.notice(reason);
  await waitFor(() => expect(panel.text).to.include('No se pudo cargar la lista de sesiones.'));
  expect(panel.busy).to.equal(false);
  await gateway.liftFaults();
  await click(await panel.find('button', 'Reintentar'));
  await panel.card(NUMERO);
  expect(panel.text).not.to.include('No se pudo cargar');
}

describe('a list that cannot be had', () => {
  const broken = [
    { what: 'a server error', answer: { status: 500 }, reason: 'Request failed with status code 500' },
    { what: 'a missing route', answer: { status: 404 }, reason: 'Request failed with status code 404' },
    {
      what: 'a sign-in page with status 200',
      answer: {
        headers: { 'content-type': 'text/html' },
        body: '<!doctype html><title>Entrar</title><script>document.title = "hacked"</script>',
      },
      reason:
        'El servidor respondió con una página en lugar de datos. Es posible que debas iniciar sesión de nuevo.',
    },
    {
      what: 'broken JSON',
      answer: { headers: { 'content-type': 'application/json' }, body: '[{"numero": ' },
      reason: 'El servidor respondió con datos que no se entienden',
    },
    {
      what: 'no answer at all but an empty one',
      answer: { status: 200, body: '' },
      reason: 'El servidor respondió con datos que no se entienden',
    },
    {
      what: 'JSON that is no list',
      answer: { json: { sessions: [] } },
      reason: 'El servidor no respondió con una lista de sesiones',
    },
  ];

  for (const { what, answer, reason } of broken) {
    it(`is told once and can be asked for again: ${what}`, async () => {
      const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
      await gateway.answer(LIST, answer);
      const panel = await mountReady(gateway);
      await panel.notice(reason);
      expect(panel.notices()).to.deep.equal([reason]);
      await expectRecovery(panel, gateway, reason);
      expect(document.title).not.to.equal('hacked');
    });
  }

  it('is a Network Error where the connection is cut', async () => {
    const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    await gateway.cut(LIST);
    await expectRecovery(await mountReady(gateway), gateway, 'Network Error');
  });

  it('comes by itself when a server that was down at the start is up', async () => {
    const gateway = await startGateway();
    await gateway.stop();
    const panel = await mount(gateway);
    await panel.notice('Network Error');
    await gateway.restart({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    await waitFor(() => expect(panel.numeros()).to.include(NUMERO));
  });

  it('leaves the list that is there, when it cannot be had anew', async () => {
    const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    const panel = await mountReady(gateway);
    await gateway.answer(LIST, { status: 503 });
    await gateway.disconnectSockets();
    await panel.notice('Request failed with status code 503');
    expect(panel.numeros()).to.deep.equal([NUMERO]);
  });
});

describe('a list with odd items', () => {
  it('shows those that have a numero, whatever its JSON type, and logs the others', async () => {
    const gateway = await startGateway({ sessions: [] });
    const logged = consoleErrors();
    await gateway.answer(LIST, {
      json: [
        null,
        'text',
        { state: 'CONNECTED' },
        { numero: '', state: 'CONNECTED' },
        { numero: 5491155550001, state: 'CONNECTED', waiting: 'no' },
        { numero: '5491155550002' },
        { numero: '5491155550003', state: 7, qrCode: {}, waiting: 1 },
      ],
    });
    const panel = await mountReady(gateway);
    expect(panel.numeros()).to.deep.equal(['5491155550001', '5491155550002', '5491155550003']);
    expect(panel.all('progressbar')).to.have.length(0);
    expect(logged().filter((line) => line.includes('without numero'))).to.have.length.at.least(4);
    await gateway.push('session:change_state', { numero: '5491155550001', state: 'OPENING' });
    await waitFor(() => expect(panel.text).to.include('OPENING'));
  });

  it('shows one card for a numero that is listed twice', async () => {
    const gateway = await startGateway({ sessions: [] });
    await gateway.answer(LIST, {
      json: [
        { numero: NUMERO, state: 'DESCONECTADO', waiting: false },
        { numero: NUMERO, state: 'CONNECTED', waiting: false },
      ],
    });
    const panel = await mountReady(gateway);
    expect(panel.numeros()).to.deep.equal([NUMERO]);
  });

  it('shows HTML as the text that it is', async () => {
    const html = '<img src=x onerror="document.title=\'hacked\'">';
    const gateway = await startGateway({ sessions: [] });
    await gateway.answer(LIST, { json: [{ numero: html, state: `<b>${html}</b>`, waiting: false }] });
    const panel = await mountReady(gateway);
    expect(panel.numeros()).to.deep.equal([html]);
    expect(panel.text).to.include(`<b>${html}</b>`);
    expect(panel.root.querySelector('img, b')).to.equal(null);
    await gateway.answer({ method: 'GET', path: '/api/session/levanta/*' }, { json: { numero: html } });
    await click(panel.button('Levantar Sesión'));
    await panel.notice(`La sesión de ${html} comenzará a levantarse`);
    expect(document.title).not.to.equal('hacked');
  });

  for (const [what, code] of [
    ['is too long', 'x'.repeat(1274)],
    ['has half a character', '2@\ud83d'],
  ] as const)
    it(`says that a code that ${what} cannot be drawn, and goes on`, async () => {
      const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'disconnected' }] });
      const panel = await mountReady(gateway);
      await fill(panel.textbox('Mensaje de Prueba'), 'sigue aquí');
      await gateway.push(`session:qr:${NUMERO}`, code);
      await waitFor(() =>
        expect(panel.text).to.include('El código QR que envió el servidor no se puede dibujar'),
      );
      expect(panel.textbox('Mensaje de Prueba').value).to.equal('sigue aquí');
      await gateway.push(`session:qr:${NUMERO}`, '2@corto');
      await panel.find('img', `Código QR para vincular ${NUMERO}`);
    });
});
