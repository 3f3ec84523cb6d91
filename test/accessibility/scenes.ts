/** The panel in each of its visible states. */
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { jumpAhead, stopClock } from '../support/browser-clock.ts';
import { consoleErrors } from '../support/console.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { click, fill, press, type } from '../support/input.ts';
import { existing, mount, mountReady, openPanel, type Panel } from '../support/panel.ts';

const LIST = { method: 'GET', path: '/api/session/sessions' };
const NUMERO = '5215550000001';
const CLOSING = '5215550000005';

/** Keeps notices open for the checks. */
const LASTING = { 'notification-timeout': '0' };

export const scenes: Readonly<Record<string, () => Promise<Panel>>> = {
  'an empty list': async () => mountReady(await startGateway({ sessions: 0 })),

  'a list that could not be had': async () => {
    consoleErrors();
    const gateway = await startGateway();
    await gateway.answer(LIST, { status: 500 });
    const panel = await mountReady(gateway, LASTING);
    await panel.notice('Request failed with status code 500');
    return panel;
  },

  'the overlay while the list loads': async () => {
    const gateway = await startGateway();
    await gateway.hold(LIST);
    const panel = await mount(gateway);
    await panel.find('progressbar', /Cargando/);
    return panel;
  },

  'cards in each state': cards,

  'cards without a connection': () => away('cards'),

  'a list without a connection': () => away('list'),

  'the dialog that adds': async () => {
    const panel = await cards();
    await panel.openAddDialog();
    return panel;
  },

  'the dialog that adds, filled in and refused': async () => {
    consoleErrors();
    const gateway = await startGateway({ sessions: 1 });
    await gateway.answer({ method: 'GET', path: '/api/session/levanta/*' }, { status: 503 });
    const panel = await mountReady(gateway, LASTING);
    const dialog = await panel.openAddDialog();
    await fill(panel.textbox('Número de teléfono', dialog), NUMERO);
    await click(panel.button('Agregar', dialog));
    await panel.notice('Request failed with status code 503');
    return panel;
  },

  'the dialog that adds, with a hint': async () => {
    const panel = await cards();
    const dialog = await panel.openAddDialog();
    await fill(panel.textbox('Número de teléfono', dialog), NUMERO);
    await waitFor(() => expect(dialog.textContent).to.include('Ya está en la lista'));
    return panel;
  },

  'a code at full size, with the bar of its time and what a passkey means': async () => {
    const { gateway, panel } = await withCode();
    // A server with the extension leads through it.
    await gateway.announce('details');
    // A code that follows another lasts twenty seconds.
    stopClock();
    await gateway.push(`session:qr:${NUMERO}`, '2@new');
    await waitFor(() => expect(panel.root.querySelector('.freshness'), 'the bar').to.be.ok);
    await click(panel.button(/Ampliar/));
    const dialog = await panel.openDialog();
    await click(await waitFor(() => existing(dialog.querySelector('summary'))));
    return panel;
  },

  'a step of a passkey, behind a proxy': async () => {
    const { gateway, panel } = await withCode();
    await gateway.push(`session:passkey:${NUMERO}`, { step: 'confirm', text: 'Compara este código: 1234' });
    await gateway.push(`session:details:${NUMERO}`, { proxy: 'proxy.example:1080', exit: '203.0.113.7' });
    await gateway.push(`session:disconnected:${NUMERO}`);
    await panel.find('button', 'Continuar');
    return panel;
  },

  'a code that has expired, and at full size': async () => {
    const { panel } = await withCode();
    await click(panel.button(/Ampliar/));
    const dialog = await panel.openDialog();
    jumpAhead(63_000);
    await panel.find('button', 'Generar otro', dialog);
    return panel;
  },

  'the history of a session': async () => {
    const panel = await cards({ extensions: [] });
    await click(panel.button('Historial de 5215550000006', await panel.card('5215550000006')));
    const dialog = await panel.openDialog();
    await waitFor(() => expect(dialog.textContent).to.include('Nuevo estado: DEPRECATED_VERSION'));
    return panel;
  },

  'the menu of a session, with what a server with extensions tells of it': async () => {
    const { panel } = await extended();
    await click(panel.button(`Más acciones de ${NUMERO}`));
    await panel.find('menuitem', 'Enviar enlace');
    return panel;
  },

  'the history that the server keeps': async () => {
    const { gateway, panel } = await extended();
    const fell = { event: 'disconnected', state: 'DESCONECTADO', detail: 'WhatsApp cerró la sesión.' };
    const json = Array.from({ length: 50 }, (_, index) => ({
      at: Date.now() - index * 3_600_000,
      ...fell,
    }));
    await gateway.answer({ method: 'GET', path: `/api/session/${NUMERO}/history` }, { json });
    await click(panel.button(`Historial de ${NUMERO}`));
    await panel.find('button', 'Ver anteriores');
    return panel;
  },

  'the history that could not be had': async () => {
    consoleErrors();
    const { gateway, panel } = await extended();
    await gateway.answer({ method: 'GET', path: `/api/session/${NUMERO}/history` }, { status: 500 });
    await click(panel.button(`Historial de ${NUMERO}`));
    await panel.find('button', 'Reintentar', await panel.openDialog());
    return panel;
  },

  'a session that is restricted, with what it may do and its last sign of life': async () => {
    const { gateway, panel } = await openPanel({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    await gateway.push(`session:details:${NUMERO}`, {
      restricted: { text: 'Restringida por WhatsApp: puede responder, pero no iniciar chats nuevos.' },
      quota: { used: 100, total: 100 },
      // Half a minute off the next.
      lastSignal: Date.now() - 210_000,
    });
    await waitFor(() => expect(panel.text).to.include('Chats nuevos usados:'));
    expect(panel.text).to.include('Restringida por WhatsApp').and.to.include('Última señal: hace 3 min');
    return panel;
  },

  'a code to type on the phone': async () => {
    const { gateway, panel } = await withCode();
    await click(panel.button(/Ampliar/));
    await gateway.push(`session:code:${NUMERO}`, { code: 'ABCD1234', expires: Date.now() + 3_600_000 });
    await click(await panel.find('button', 'Escribir un código'));
    await panel.find('timer');
    return panel;
  },

  'a link for who has the phone': async () => {
    const { panel } = await extended();
    await click(panel.button(`Más acciones de ${NUMERO}`));
    await click(await panel.find('menuitem', 'Enviar enlace'));
    await panel.find('button', 'Copiar');
    return panel;
  },

  'a message that failed after all': async () => {
    const { gateway, panel } = await extended();
    await gateway.answer({ method: 'POST', path: '/api/message' }, { json: { id: 'm1' } });
    await fill(panel.textbox('Número'), '5215550002222');
    await press('Enter');
    await waitFor(() => expect(panel.text).to.include('Aceptado por el servidor'));
    await gateway.push('message:ack', {
      id: 'm1',
      remitente: NUMERO,
      status: 'failed',
      reason: 'No usa WhatsApp',
    });
    await waitFor(() => expect(panel.text).to.include('No se entregó: No usa WhatsApp'));
    return panel;
  },

  'test messages that were accepted, refused, and are on their way': async () => {
    consoleErrors();
    const numeros = ['5215550000001', '5215550000002', '5215550000003'];
    const sessions = numeros.map((numero) => ({ numero, state: 'connected' as const }));
    const { gateway, panel } = await openPanel({ sessions });
    const [accepted, refused, waiting] = await Promise.all(
      panel.numeros().map((numero) => panel.card(numero)),
    );
    if (!accepted || !refused || !waiting) throw new Error('three cards were to be there');
    // What becomes of it is not told.
    await gateway.answer({ method: 'POST', path: '/api/message', times: 1 }, { json: { id: 'm1' } });
    await fill(panel.textbox('Mensaje de Prueba', accepted), 'Hola');
    await fill(panel.textbox('Número', accepted), '5215550002222');
    await press('Enter');
    await waitFor(() => expect(accepted.textContent).to.include('Aceptado por el servidor'));
    await fill(panel.textbox('Número', refused), 'cinco');
    await press('Enter');
    await waitFor(() => expect(refused.textContent).to.include('El número de destino no es válido.'));
    await gateway.hold({ method: 'POST', path: '/api/message' });
    const send = panel.button('Enviar Mensaje', waiting);
    await fill(panel.textbox('Mensaje de Prueba', waiting), 'Hola');
    await fill(
      await waitFor(() => existing(waiting.querySelector<HTMLInputElement>('[inputmode="tel"]'))),
      '5215550002222',
    );
    await click(send);
    await waitFor(() => expect(send.ariaDisabled).to.equal('true'));
    return panel;
  },

  'the dialog that deletes': async () => {
    const panel = await cards();
    await click(panel.button('Eliminar Sesión', await panel.card(NUMERO)));
    await panel.openDialog();
    return panel;
  },

  'notices, good and bad': async () => {
    consoleErrors();
    const { panel } = await openPanel({ sessions: 1 }, LASTING);
    await click(panel.button('Enviar Mensaje'));
    await panel.notice('El número de destino no es válido.');
    await click(panel.button('Levantar Sesión'));
    await waitFor(() => expect(panel.notices().join()).to.include('comenzará'));
    return panel;
  },

  'many sessions as a list, with an open row that has a code, a tick and the tools': async () => {
    const panel = await many({ view: 'list' });
    const [more] = panel.all('button', 'Buscar');
    if (more) await click(more);
    await click(panel.get('checkbox', 'Seleccionar 5215550000011'));
    await click(panel.button('Abrir 5215550000011'));
    await click(await panel.find('button', 'Levantar Sesión'));
    await panel.find('img', /QR/);
    return panel;
  },

  'named sessions in groups, one of which could not be named anew': () => named({ view: 'list' }),

  'cards with names, one of which could not be named anew': () => named({}),

  'many sessions, filtered': async () => {
    const panel = await many();
    await click(panel.button(/^Requieren atención/));
    return panel;
  },

  'many sessions, none of which is found': async () => {
    const panel = await many();
    await click(panel.get('searchbox', 'Buscar'));
    await type('nadie');
    await panel.find('button', 'Mostrar todas');
    return panel;
  },

  'many sessions, while some are started': async () => {
    consoleErrors();
    const panel = await many();
    for (const box of panel.all('checkbox').slice(0, 2)) await click(box);
    await click(panel.button('Levantar (2)'));
    await waitFor(() => expect(panel.text).to.include('1 falló'));
    return panel;
  },

  'one session alone, with its test message': async () => {
    const panel = await alone('connected');
    await click(await waitFor(() => existing(panel.root.querySelector('summary'))));
    return panel;
  },

  'one session alone, with its code': async () => {
    const panel = await alone('qr');
    await panel.find('img', /QR/);
    await panel.find('button', 'Escribir un código');
    return panel;
  },

  'one session alone, which is off': () => alone('disconnected'),

  'one session alone, which is not there': async () => {
    const panel = await mountReady(await startGateway({ sessions: [] }), { numero: NUMERO });
    await panel.find('button', /^Vincular/);
    return panel;
  },

  'one session alone, whose list could not be had': async () => {
    consoleErrors();
    const gateway = await startGateway();
    await gateway.answer(LIST, { status: 500 });
    const panel = await mountReady(gateway, { numero: NUMERO });
    await panel.find('button', 'Reintentar');
    return panel;
  },

  'the panel after a failure of its own': async () => {
    consoleErrors();
    const gateway = await startGateway({ sessions: 1 });
    const getFullYear = Date.prototype.getFullYear;
    // The footer shows the year: the only part of rendering that a test can break from outside.
    Date.prototype.getFullYear = () => {
      throw new Error('no year');
    };
    try {
      const panel = await mount(gateway);
      await panel.find('button', 'Reintentar');
      return panel;
    } finally {
      Date.prototype.getFullYear = getFullYear;
    }
  },
};

async function alone(state: 'connected' | 'qr' | 'disconnected'): Promise<Panel> {
  const { panel } = await openPanel({ sessions: [{ numero: NUMERO, state }] }, { numero: NUMERO });
  await panel.find('button', `Más acciones de ${NUMERO}`);
  return panel;
}

async function withCode() {
  const { gateway, panel } = await openPanel({ sessions: [{ numero: NUMERO, state: 'qr' }] });
  await panel.find('img', /QR/);
  return { gateway, panel };
}

/** A session that is down, on a server that tells why, and can make links. */
async function extended() {
  const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'disconnected' }] });
  await gateway.answer(
    { method: 'POST', path: `/api/session/${NUMERO}/link` },
    {
      json: {
        id: 'a1',
        url: 'https://gateway.example/l/#Zr4u7xAbcDeFGKaPdSgVk',
        expires: Date.now() + 3_600_000,
      },
    },
  );
  const panel = await mountReady(gateway, LASTING);
  await gateway.push(`session:details:${NUMERO}`, {
    since: Date.now() - 3_600_000,
    reason: { code: 'logged-out', text: 'WhatsApp cerró la sesión.' },
  });
  await waitFor(() => expect(panel.text).to.include('Desde hace 1 h'));
  return { gateway, panel };
}

/** Ten sessions, one of which fails to start. Notices close: they would cover what is checked. */
async function many(attributes?: Record<string, string>): Promise<Panel> {
  const gateway = await startGateway({
    sessions: Array.from({ length: 10 }, (_, index) => ({
      numero: `52155500000${10 + index}`,
      state: index < 3 ? 'disconnected' : 'connected',
    })),
  });
  await gateway.answer({ method: 'GET', path: '/api/session/levanta/5215550000010' }, { status: 503 });
  return mountReady(gateway, attributes);
}

/** Ten sessions with long names and groups. The names of the second are being edited, and the gateway refused them. */
async function named(attributes: Record<string, string>): Promise<Panel> {
  consoleErrors();
  const { gateway, panel } = await openPanel(
    {
      sessions: Array.from({ length: 10 }, (_, index) => ({
        numero: `52155500000${10 + index}`,
        state: index < 3 ? 'disconnected' : 'connected',
      })),
    },
    attributes,
  );
  for (const index of [0, 1, 5]) {
    await fetch(`${gateway.url}/api/session/52155500000${10 + index}/details`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        label: 'CobranzaYFacturaciónDeLaZonaMetropolitanaSinEspaciosNiGuiones'.slice(0, 60),
        group: index === 5 ? 'Sucursales del norte y del centro de la república' : 'Ventas',
      }),
    });
  }
  const card = await waitFor(() =>
    existing(panel.all('article', /^Cobranza.* 5215550000011$/).find((one) => one.checkVisibility())),
  );
  if (attributes.view === 'list') {
    await panel.find('heading', /^Sucursales .* 1 sesión/);
    await panel.find('heading', /^Ventas 2 sesiones/);
    await click(panel.button('Abrir 5215550000011'));
  }
  await gateway.answer({ method: 'PUT', path: '/api/session/*/details' }, { status: 503 });
  await click(await panel.find('button', 'Más acciones de 5215550000011'));
  await click(await panel.find('menuitem', 'Nombre y grupo'));
  const field = await panel.find('textbox', 'Nombre', card);
  await press('End', 'Backspace', 'Enter');
  await waitFor(() => expect(panel.advice(field)).to.include('El servidor tuvo un error'));
  // The notice says the same, and covers what is looked at.
  await click(await panel.find('button', 'Cerrar'));
  await waitFor(() => expect(panel.notices()).to.have.length(0));
  return panel;
}

async function away(view: string): Promise<Panel> {
  consoleErrors();
  const numero = (index: number) => `52155500000${10 + index}`;
  const { gateway, panel } = await openPanel(
    {
      sessions: Array.from({ length: 10 }, (_, index) => ({
        numero: numero(index),
        state: index < 3 ? 'disconnected' : 'connected',
      })),
    },
    { view, 'connection-notice': '' },
  );
  await gateway.stop();
  jumpAhead(6000);
  await waitFor(() => expect(panel.text).to.include('Reintentando…'));
  return panel;
}

async function cards(options: Parameters<typeof openPanel>[0] = {}): Promise<Panel> {
  const { gateway, panel } = await openPanel({
    ...options,
    sessions: [
      { numero: NUMERO, state: 'connected' },
      { numero: '5215550000002', state: 'qr' },
      { numero: '5215550000003', state: 'waiting' },
      { numero: '5215550000004', state: 'disconnected' },
      { numero: CLOSING, state: 'connected' },
      { numero: '5215550000006', state: 'connected' },
    ],
  });
  await gateway.push('session:change_state', { numero: '5215550000006', state: 'DEPRECATED_VERSION' });
  await waitFor(() => expect(panel.text).to.include('DEPRECATED_VERSION'));
  await startDeleting(gateway, panel);
  // Codes are drawn only on the screen.
  document.documentElement.scrollTop = 0;
  await panel.find('img', /QR/);
  return panel;
}

/** Leaves one session in 'CERRANDO SESIÓN...'. */
async function startDeleting(gateway: Gateway, panel: Panel): Promise<void> {
  await gateway.hold({ method: 'DELETE', path: `/api/session/${CLOSING}` });
  const card = await panel.card(CLOSING);
  await panel.deleteSession(card);
  await waitFor(() => expect(card.textContent).to.include('CERRANDO SESIÓN...'));
  expect(panel.dialog()).to.equal(null);
}
