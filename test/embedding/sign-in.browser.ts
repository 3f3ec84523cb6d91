import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import type { WhatsappOperadoresElement } from '../../src/index.ts';
import { jumpAhead } from '../support/browser-clock.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { click, fill } from '../support/input.ts';
import { mount, mountReady, Panel } from '../support/panel.ts';

const NUMERO = '5491155550001';
const connected = { sessions: [{ numero: NUMERO, state: 'connected' as const }] };
const LIST = { method: 'GET', path: '/api/session/sessions' };

type Token = WhatsappOperadoresElement['token'];

/** Mounts a panel that has its token from the start. */
function panelWith(gateway: Gateway, token: Token): Panel {
  const element = document.createElement('whatsapp-operadores');
  element.apiBase = `${gateway.url}/api`;
  element.socketOrigin = gateway.url;
  element.token = token;
  document.body.append(element);
  return new Panel(element);
}

/** Mounts a panel with a token, and waits for its session and its socket. */
async function mountWith(gateway: Gateway, token: Token): Promise<Panel> {
  const panel = panelWith(gateway, token);
  await panel.card(NUMERO);
  await waitFor(async () => expect(await gateway.socketCount()).to.equal(1));
  return panel;
}

const bearers = async (gateway: Gateway) =>
  (await gateway.requests()).map(({ headers }) => headers.authorization);

describe('a token', () => {
  it('is sent with each call and with the socket', async () => {
    const gateway = await startGateway(connected);
    const panel = await mountWith(gateway, 'secreto');
    await fill(panel.textbox('Mensaje de Prueba'), 'hola');
    await fill(panel.textbox('Número'), '5491155550002');
    await click(panel.button('Enviar Mensaje'));
    await panel.notice('Mensaje enviado a 5491155550002');
    await click(panel.button('Levantar Sesión'));
    await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
    await panel.deleteSession();
    await panel.notice(`La sesión de ${NUMERO} ha sido eliminada`);
    const methods = (await gateway.requests()).map(({ method }) => method);
    expect(new Set(methods)).to.deep.equal(new Set(['GET', 'POST', 'DELETE']));
    expect(new Set(await bearers(gateway))).to.deep.equal(new Set(['Bearer secreto']));
    expect((await gateway.handshakes()).map(({ auth }) => auth)).to.deep.equal([{ token: 'secreto' }]);
  });

  it('that is set in the task in which the panel is connected counts from the first call on', async () => {
    const gateway = await startGateway(connected);
    const panel = panelWith(gateway, undefined);
    panel.element.token = 'secreto';
    await panel.card(NUMERO);
    await waitFor(async () => expect(await gateway.handshakes()).to.have.length(1));
    expect(new Set(await bearers(gateway))).to.deep.equal(new Set(['Bearer secreto']));
    expect((await gateway.handshakes()).map(({ auth }) => auth)).to.deep.equal([{ token: 'secreto' }]);
  });

  it('is requested for each call and each reconnection', async () => {
    const gateway = await startGateway(connected);
    let asked = 0;
    const panel = await mountWith(gateway, async () => {
      asked += 1;
      return `token-${asked}`;
    });
    await panel.element.refresh();
    await gateway.disconnectSockets();
    await waitFor(async () => expect(await gateway.handshakes()).to.have.length(2));
    const given = [
      ...(await bearers(gateway)),
      ...(await gateway.handshakes()).map(({ auth }) => `Bearer ${auth.token}`),
    ];
    expect(new Set(given).size).to.equal(given.length);
  });

  it('that the page cannot give is reported, and requested again', async () => {
    const gateway = await startGateway(connected);
    const panel = panelWith(gateway, () => Promise.reject(new Error('no session')));
    const errors: string[] = [];
    panel.element.addEventListener('wo-error', ({ detail }) => errors.push(detail.action));
    await panel.notice('La página no pudo dar el permiso de acceso al servidor.');
    expect(errors).to.include('fetch');
    expect(await gateway.requests()).to.have.length(0);
    panel.element.token = 'por fin';
    await panel.card(NUMERO);
  });

  it('is sent without surrounding white space', async () => {
    const gateway = await startGateway(connected);
    await mountWith(gateway, () => ' secreto\n');
    expect(new Set(await bearers(gateway))).to.deep.equal(new Set(['Bearer secreto']));
    expect((await gateway.handshakes()).map(({ auth }) => auth)).to.deep.equal([{ token: 'secreto' }]);
  });

  it('that no header can carry is reported as one that the page cannot give', async () => {
    const gateway = await startGateway(connected);
    const panel = panelWith(gateway, 'contraseña');
    await panel.notice('La página no pudo dar el permiso de acceso al servidor.');
    expect(await gateway.requests()).to.have.length(0);
  });

  it('that is not a text is reported as one that the page cannot give', async () => {
    const gateway = await startGateway(connected);
    // A page in plain JavaScript can give anything.
    const odd: unknown = { trim: () => ({ toString: () => 'secreto', toJSON: () => 1n }) };
    const element = document.createElement('whatsapp-operadores');
    Object.assign(element, { apiBase: `${gateway.url}/api`, socketOrigin: gateway.url, token: odd });
    document.body.append(element);
    await new Panel(element).notice('La página no pudo dar el permiso de acceso al servidor.');
    expect(await gateway.requests()).to.have.length(0);
  });

  it('that never comes blocks neither another start nor the removal of the panel', async () => {
    const gateway = await startGateway(connected);
    const panel = await mountWith(gateway, 'primero');
    panel.element.token = () => new Promise(() => {});
    await click(panel.button('Levantar Sesión'));
    await waitFor(() => expect(panel.button('Levantar Sesión').ariaDisabled).to.equal('true'));
    jumpAhead(31_000);
    await waitFor(() => expect(panel.text).to.include('El servidor todavía no responde'));
    await waitFor(() => expect(panel.button('Levantar Sesión').ariaDisabled).to.equal('false'));
    panel.element.token = 'segundo';
    await click(panel.button('Levantar Sesión'));
    await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);

    panel.element.token = () => new Promise(() => {});
    const refreshed = panel.element.refresh();
    panel.element.remove();
    await refreshed;
  });

  it('is stored nowhere', async () => {
    const gateway = await startGateway(connected);
    const panel = await mountWith(gateway, 'secreto');
    expect(localStorage).to.have.length(0);
    expect(sessionStorage).to.have.length(0);
    expect(document.cookie).not.to.include('secreto');
    expect(panel.element.outerHTML).not.to.include('secreto');
    expect(panel.root.innerHTML).not.to.include('secreto');
  });
});

describe('a server that requires a sign-in', () => {
  it('is reported in Spanish and by an event, and is called again once there is a token', async () => {
    const gateway = await startGateway(connected);
    await gateway.answer(LIST, { status: 401, json: {} });
    const panel = await mount(gateway);
    const errors: CustomEvent[] = [];
    panel.element.addEventListener('wo-error', (event) => errors.push(event));
    await panel.notice('Request failed with status code 401: debes iniciar sesión de nuevo');
    // Both lists, those of mounting and connecting, are refused before the token is there.
    await waitFor(() => expect(errors).to.have.length.at.least(2));
    expect(errors[0]?.detail.error.status).to.equal(401);
    // The panel asks by itself too, and would not be called again.
    const json = [{ numero: NUMERO, state: 'CONNECTED', waiting: false }];
    const release = await gateway.hold(LIST, { json });
    panel.element.token = 'nuevo';
    await release();
    await panel.card(NUMERO);
    expect((await bearers(gateway)).at(-1)).to.equal('Bearer nuevo');
  });
});

describe('a server that redirects', () => {
  const SIGN_IN = 'El servidor respondió con una página web; tal vez tengas que iniciar sesión de nuevo.';
  const redirect = (location: string, status = 302) => ({ status, headers: { location } });

  it('to where one signs in, on another origin, is reported in Spanish, once the list is asked for', async () => {
    const gateway = await startGateway(connected);
    const identity = await startGateway({ allowOrigins: [] });
    await gateway.answer(LIST, redirect(`${identity.url}/login`));
    const panel = await mount(gateway);
    await panel.notice(SIGN_IN);
    expect(panel.text).not.to.include('Network Error');
    await gateway.liftFaults();
    await panel.element.refresh();
    await panel.card(NUMERO);
  });

  it('there gets each call once', async () => {
    const gateway = await startGateway(connected);
    const identity = await startGateway({ allowOrigins: [] });
    const panel = await mountReady(gateway);
    for (const method of ['GET', 'POST', 'DELETE'])
      await gateway.answer({ method, path: '/api/*' }, redirect(`${identity.url}/login`));
    await click(panel.button('Levantar Sesión'));
    await panel.notice(SIGN_IN);
    // The notice may be of the list. A deletion ends a start that has not been sent, and a failure moves the fields.
    await waitFor(() => expect(panel.text).to.include(`No se pudo levantar: ${SIGN_IN}`));
    await fill(panel.textbox('Mensaje de Prueba'), 'hola');
    await fill(panel.textbox('Número'), '5491155550002');
    await click(panel.button('Enviar Mensaje'));
    await waitFor(() => expect(panel.text).to.include(`mensaje: ${SIGN_IN}`));
    await panel.deleteSession();
    await waitFor(() => expect(panel.text).to.include(`No se pudo eliminar: ${SIGN_IN}`));
    const calls = (await gateway.requests())
      .map(({ method, path }) => `${method} ${path}`)
      .filter((call) => call !== 'GET /api/session/sessions');
    expect(calls).to.deep.equal([
      `GET /api/session/levanta/${NUMERO}`,
      'POST /api/message',
      `DELETE /api/session/${NUMERO}`,
    ]);
  });

  it('to itself is followed', async () => {
    const gateway = await startGateway(connected);
    const start = { method: 'GET', path: `/api/session/levanta/${NUMERO}` };
    const message = { method: 'POST', path: '/api/message' };
    for (const call of [LIST, start, message])
      await gateway.answer({ ...call, times: 1 }, redirect(call.path, 307));
    const panel = await mountReady(gateway);
    await fill(panel.textbox('Mensaje de Prueba'), 'hola');
    await fill(panel.textbox('Número'), '5491155550002');
    await click(panel.button('Enviar Mensaje'));
    await panel.notice('Mensaje enviado a 5491155550002');
    await click(panel.button('Levantar Sesión'));
    await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
    expect(await gateway.requests(start.method, start.path)).to.have.length(2);
    expect(await gateway.requests(message.method, message.path)).to.have.length(2);
  });
});

describe('a server under a sub-path', () => {
  for (const base of ['/portal/wa/api/', 'wa/api', './wa/api/']) {
    it(`is found by api-base="${base}"`, async () => {
      const calls: string[] = [];
      const { fetch } = window;
      window.fetch = (url) => {
        calls.push(new URL(String(url), document.baseURI).pathname);
        return Promise.resolve(Response.json([{ numero: NUMERO, state: 'CONNECTED', waiting: false }]));
      };
      try {
        const panel = await mount(undefined, { 'api-base': base });
        await panel.card(NUMERO);
        const expected = new URL(`${base.replace(/\/$/, '')}/session/sessions`, document.baseURI).pathname;
        expect(calls[0]).to.equal(expected);
      } finally {
        window.fetch = fetch;
      }
    });
  }
});
