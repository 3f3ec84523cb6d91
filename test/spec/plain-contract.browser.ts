import '../../src/index.ts';
import { type ByRoleMatcher, queryAllByRole, waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import type { WireSession } from '../../src/wire.ts';
import { consoleErrors } from '../support/console.ts';
import { click, fill, press } from '../support/input.ts';
import type { Panel } from '../support/panel.ts';
import { startPlain } from '../support/plain.ts';
import type { Chatter } from '../support/plain-server.ts';
import { setWindow } from '../support/viewport.ts';

/** Everything that an operator can press, fill in, choose or open. */
const CONTROLS: readonly ByRoleMatcher[] = [
  ...(['button', 'link', 'textbox', 'searchbox', 'spinbutton', 'combobox', 'listbox', 'option'] as const),
  ...(['checkbox', 'radio', 'switch', 'slider', 'menu', 'menubar', 'menuitem', 'tab'] as const),
];
const ROOMS: readonly ByRoleMatcher[] = ['heading', 'article', 'dialog', 'img', 'progressbar', 'search'];

const UNREAD = 'style, .visually-hidden, [part="notices"]';

/** What a screen shows, in its order: controls and rooms with their names, and texts. Times, ages and years are masked. */
function screen(panel: Panel, within: ParentNode = panel.root): string[] {
  const named = new Map<Node, string>();
  for (const role of [...CONTROLS, ...ROOMS]) {
    queryAllByRole(within as HTMLElement, role, {
      name: (name, element) => named.set(element, `${role} ${name}`).size > 0,
    });
  }
  const lines: string[] = [];
  const read = (node: Node): void => {
    const line = named.get(node);
    if (line !== undefined) lines.push(line);
    if (node instanceof Text) lines.push(node.data);
    // What a control or a heading has inside is its name.
    const isRead = line !== undefined && !/^(article|dialog|search)/.test(line);
    // Announcements come in batches, by time, and notices fold up; other tests have both.
    // What has the display `contents` counts as invisible.
    const isShown =
      !(node instanceof Element) ||
      (!node.matches(UNREAD) &&
        (node.matches('.state-line') || node.checkVisibility({ visibilityProperty: true })));
    if (!isRead && isShown) for (const child of node.childNodes) read(child);
  };
  read(within as unknown as Node);
  return lines
    .map((line) =>
      line
        .trim()
        .replace(/\d{1,2}:\d\d(:\d\d)?/g, 'HH:MM')
        .replace(/© \d{4}/, '© AAAA')
        .replace(/^(ahora|hace \d+ (s|min))$/, 'hace poco'),
    )
    .filter((line) => line !== '');
}

const CONNECTED = '5491155550001';
const DOWN = '5491155550002';
const ADDED = '5491155550003';
const STRANGER = '5491155550004';
const TO = '5215550002222';

const state = (numero: string, text: string, qrCode?: string): WireSession => ({
  numero,
  state: text,
  ...(qrCode && { qrCode }),
  waiting: false,
});

/**
 * Lines, with those of single starts in the order of the numbers: a panel makes several of these calls at once, which may
 * arrive, and be answered, in any order.
 */
function withStartsInOrder(lines: readonly string[]): string[] {
  const isStart = (line: string) => /\/levanta\/|comenzará a levantarse$/.test(line);
  const starts = lines.filter(isStart).sort();
  return lines.map((line) => (isStart(line) ? (starts.shift() ?? line) : line));
}

/** What a panel has sent, and the screens of each stage. */
interface Expected {
  readonly calls: readonly string[];
  readonly packets: readonly string[];
  readonly screens: Readonly<Record<string, readonly string[]>>;
}

/** A panel on a server of the plain contract, with what is expected of it. */
async function open(
  sessions: readonly WireSession[],
  chatter: Chatter,
  { calls, packets, screens }: Expected,
  attributes = {},
) {
  consoleErrors();
  // All cards are on the screen.
  await setWindow({ width: 1000, height: 3000 });
  const server = await startPlain(sessions, chatter);
  const panel = await server.mount({ 'notification-timeout': '0', ...attributes });
  return {
    server,
    panel,
    /** Waits until the screen of a stage is shown. */
    see: (stage: string, within?: ParentNode) =>
      waitFor(() => expect(withStartsInOrder(screen(panel, within)), stage).to.deep.equal(screens[stage])),
    async expectTraffic() {
      const sent = await server.traffic();
      const lines = sent.calls.map(({ method, url, headers, body }) =>
        [method, url, ...Object.entries(headers).map((header) => header.join(': ')), body].join(' ').trim(),
      );
      expect(withStartsInOrder(lines)).to.deep.equal(withStartsInOrder(calls));
      expect(sent.packets).to.deep.equal(packets);
    },
  };
}

/** What an operator does with single sessions. */
async function everyFlow(chatter: Chatter) {
  const { server, panel, see, expectTraffic } = await open(
    [state(CONNECTED, 'CONNECTED'), state(DOWN, 'DESCONECTADO')],
    chatter,
    everyFlowExpected,
  );
  await see('opened');

  const adding = await panel.openAddDialog();
  await fill(panel.textbox('Número de teléfono', adding), ADDED);
  await see('adding', adding);
  await click(panel.button('Agregar', adding));
  await panel.notice(`La sesión de ${ADDED} comenzará a levantarse`);
  await server.push(state(ADDED, 'AUTENTICANDO...', '2@code'), `session:qr:${ADDED}`, '2@code');
  const enlarge = await panel.find('button', `Ampliar el código QR de ${ADDED}`);
  await see('added');
  await click(enlarge);
  const code = await panel.openDialog();
  await see('code', code);
  await press('Escape');
  await waitFor(() => expect(panel.dialog()).to.equal(null));
  await server.push(undefined, `session:authenticated:${ADDED}`);
  await panel.notice(`Sesión de ${ADDED} autenticada y lista para usarse`);
  await server.push(state(ADDED, 'CONNECTED'), `session:ready:${ADDED}`);
  await see('linked');

  await click(panel.button('Levantar Sesión', await panel.card(DOWN)));
  await panel.notice(`La sesión de ${DOWN} comenzará a levantarse`);
  await server.push(state(DOWN, 'DESCONECTADO'), `session:qr_timeout:${DOWN}`);
  await see('started, and not scanned');

  const card = await panel.card(CONNECTED);
  await fill(panel.textbox('Mensaje de Prueba', card), 'Hola');
  await fill(panel.textbox('Número', card), TO);
  await click(panel.button('Enviar Mensaje', card));
  await panel.notice(`Mensaje enviado a ${TO}`);
  await see('message sent', card);

  await click(panel.button(`Historial de ${CONNECTED}`));
  await see('history', await panel.openDialog());
  await press('Escape');
  await waitFor(() => expect(panel.dialog()).to.equal(null));

  await click(panel.button('Eliminar Sesión', card));
  await see('deletion', await panel.openDialog());
  await click(panel.button('Eliminar', await panel.openDialog()));
  await panel.notice(`La sesión de ${CONNECTED} ha sido eliminada`);
  await see('deleted');

  // Another panel may have deleted or added them: the list is asked for.
  // Once for both, which come in a row.
  await server.pushAll(
    [[`session:disconnected:${ADDED}`], [`session:ready:${STRANGER}`]],
    [state(ADDED, 'DESCONECTADO'), state(STRANGER, 'CONNECTED')],
  );
  await see('fallen, and a stranger');

  await server.reconnect();
  await server.calls(8);
  await see('reconnected');
  await expectTraffic();
}

/** What an operator does with many sessions. */
async function manySessions(chatter: Chatter) {
  const sessions = NUMEROS.map((numero) =>
    state(numero, FALLEN.includes(numero) ? 'DESCONECTADO' : 'CONNECTED'),
  );
  const { panel, see, expectTraffic } = await open(sessions, chatter, manySessionsExpected, { view: 'auto' });
  await see('list');
  await click(panel.get('checkbox', `Seleccionar ${NUMEROS[1]}`));
  await click(panel.button('Las que hay que levantar (3)'));
  await see('selecting');
  await click(panel.button('Levantar (3)'));
  await see('started');
  await click(panel.button('Abrir 34600000002'));
  await see('row', await panel.card('34600000002'));
  await expectTraffic();
}

/** What the plain contract has, and no more. Lists have only calls that are due, and screens only what a call can back. */
const LIST = 'GET /api/session/sessions';
const start = (numero: string) => `GET /api/session/levanta/${numero}`;
const CONNECTION = ['open', 'message 0{}'];

const header = (connected: number, all: number) => [
  'heading Administrador de Whatsapp Operadores',
  'button Agregar una nueva sesión',
  'heading Sesiones activas',
  `${connected} de ${all} conectadas`,
];
const FOOTER = ['© AAAA WhatsApp Operadores'];
const FORM = ['Mensaje de Prueba', 'textbox Mensaje de Prueba', 'Número', 'textbox Número'];
const BUTTONS = ['button Enviar Mensaje', 'button Levantar Sesión', 'button Eliminar Sesión'];
const UP = ['CONNECTED', 'Conectada: envía y recibe mensajes.'];
const OFF = ['DESCONECTADO', 'Está desconectada de WhatsApp. Levántala para volver a usarla.'];
const UNSCANNED = ['DESCONECTADO', 'Nadie escaneó el código a tiempo. Levanta la sesión para generar otro.'];
const TO_SCAN = ['AUTENTICANDO...', 'Vence en HH:MM', 'Escanéalo con el teléfono de este número.'];
const picture = (numero: string) => `img Código QR para vincular ${numero}`;

const identity = (numero: string) => [`heading ${numero}`, `button Historial de ${numero}`];
const card = (numero: string, status: readonly string[]) => [
  `article ${numero}`,
  ...identity(numero),
  ...status,
  ...FORM,
  ...BUTTONS,
];

const everyFlowExpected: Expected = {
  calls: [
    LIST,
    LIST,
    start(ADDED),
    start(DOWN),
    `POST /api/message content-type: application/json {"mensaje":{"cuerpo":"Hola","contactos":[${TO}]},"remitente":"${CONNECTED}","autorespuesta":false,"ids":[1],"encolar":false}`,
    `DELETE /api/session/${CONNECTED}`,
    LIST,
    LIST,
  ],
  packets: [...CONNECTION, ...CONNECTION],
  screens: {
    opened: [...header(1, 2), ...card(CONNECTED, UP), ...card(DOWN, OFF), ...FOOTER],
    adding: [
      'heading Número de teléfono',
      'Ingresa el número de teléfono (sin espacios ni guiones)',
      'textbox Número de teléfono',
      'button Cancelar',
      'button Agregar',
    ],
    added: [
      ...header(1, 3),
      ...card(CONNECTED, UP),
      ...card(DOWN, OFF),
      `article ${ADDED}`,
      picture(ADDED),
      `button Ampliar el código QR de ${ADDED}`,
      ...card(ADDED, TO_SCAN).slice(1),
      ...FOOTER,
    ],
    code: [
      `heading Vincular ${ADDED}`,
      'button Cerrar',
      picture(ADDED),
      'Vence en HH:MM',
      'Abre WhatsApp en el teléfono de este número',
      'Toca ⋮ (Android) o Configuración (iPhone) → Dispositivos vinculados',
      'Toca Vincular un dispositivo',
      'Apunta la cámara a este código',
      'Si el teléfono pide una llave de acceso',
    ],
    linked: [...header(2, 3), ...card(CONNECTED, UP), ...card(DOWN, OFF), ...card(ADDED, UP), ...FOOTER],
    'started, and not scanned': [
      ...header(2, 3),
      ...card(CONNECTED, UP),
      ...card(DOWN, UNSCANNED),
      ...card(ADDED, UP),
      ...FOOTER,
    ],
    'message sent': [
      ...identity(CONNECTED),
      ...UP,
      ...FORM,
      ...BUTTONS.slice(0, 1),
      'Aceptado por el servidor a las HH:MM',
      ...BUTTONS.slice(1),
    ],
    history: [
      `heading Historial de ${CONNECTED}`,
      'button Cerrar',
      'heading hoy',
      'HH:MM',
      `Mensaje aceptado por el servidor: ${TO}`,
      'HH:MM',
      'Al abrir la página: CONNECTED',
      'Los últimos 50 sucesos desde que abriste esta página',
      'button Copiar',
    ],
    deletion: [
      `heading ¿Estas seguro de eliminar la sesión de ${CONNECTED}?`,
      'Interrumpirás la conexión y deberás escanear nuevamente el QR',
      'button Cancelar',
      'button Eliminar',
    ],
    deleted: [...header(1, 2), ...card(DOWN, UNSCANNED), ...card(ADDED, UP), ...FOOTER],
    'fallen, and a stranger': [
      ...header(1, 3),
      ...card(DOWN, UNSCANNED),
      ...card(ADDED, ['DESCONECTADO', 'Se cayó a las HH:MM', ...OFF.slice(1)]),
      ...card(STRANGER, UP),
      ...FOOTER,
    ],
    reconnected: [
      ...header(1, 3),
      ...card(DOWN, UNSCANNED),
      ...card(ADDED, ['DESCONECTADO', 'Se cayó a las HH:MM', ...OFF.slice(1)]),
      ...card(STRANGER, UP),
      ...FOOTER,
    ],
  },
};

const NUMEROS = Array.from({ length: 12 }, (_, index) => String(34600000001 + index));
const FALLEN = NUMEROS.filter((_, index) => index % 4 === 0);

const bar = (waiting: number, attention: number) => [
  'button Todas 12',
  `button Requieren atención ${attention}`,
  `button En espera ${waiting}`,
  'button Se cayeron 0',
  // That of a bar that is too narrow is not in sight.
  'button',
  'searchbox Buscar',
  'combobox Orden',
  'button Lista',
  'button Tarjetas',
];
const PILL = [
  '3 seleccionadas',
  'button Levantar (3)',
  'button Todas (12)',
  'button Las que hay que levantar (3)',
  'button Quitar selección',
];
/** The rows, those that fell first. */
const rows = (fallen: readonly string[]) => [
  ...[...FALLEN, ...NUMEROS.filter((numero) => !FALLEN.includes(numero))].flatMap((numero) => {
    const [badge = '', sentence = '', ...remedy] = FALLEN.includes(numero) ? fallen : UP;
    return [
      `article ${numero}`,
      `checkbox Seleccionar ${numero}`,
      ...[`button Abrir ${numero}`, `heading ${numero}`, badge, 'hace poco', sentence, ...remedy],
    ];
  }),
];

const manySessionsExpected: Expected = {
  calls: [LIST, LIST, ...FALLEN.map(start)],
  packets: CONNECTION,
  screens: {
    list: [...header(9, 12), ...bar(0, 3), ...rows([...OFF, 'button Levantar']), ...FOOTER],
    selecting: [...header(9, 12), ...bar(0, 3), ...rows([...OFF, 'button Levantar']), ...PILL, ...FOOTER],
    started: [
      ...header(9, 12),
      ...bar(3, 0),
      ...rows(['AUTENTICANDO...', 'El servidor está preparando el código.']),
      'Levantadas: 3 de 3',
      'button Cerrar',
      ...FOOTER,
    ],
    row: [
      'checkbox Seleccionar 34600000002',
      'button Abrir 34600000002',
      'heading 34600000002',
      'CONNECTED',
      'hace poco',
      'Conectada: envía y recibe mensajes.',
      ...FORM,
      ...BUTTONS,
      'button Historial de 34600000002',
    ],
  },
};

/** What a server may say beside the contract, none of it announced as it must be. */
const CHATTER: Chatter = {
  announcements: [
    { extensions: [] },
    { extensions: 'presence details label history unlink pairing link ack' },
    ['details'],
    null,
    { extensions: ['teleport', 7, null, 'Details'] },
  ],
  details: { name: 'Tienda', label: 'Ventas', group: 'Norte', since: 1, link: { id: 'a1', expires: 9e12 } },
  pushes: [
    ['session:created', { numero: '1', state: 'CONNECTED', waiting: false }],
    ['session:deleted', { numero: DOWN }],
    [`session:details:${DOWN}`, { label: 'Caja' }],
    [`session:code:${DOWN}`, { code: 'ABCD1234', expires: 9e12 }],
    ['message:ack', { id: 'A1', remitente: CONNECTED, contacto: 1, status: 'read' }],
  ],
  sent: { id: 'A1' },
};

describe('against a server of the plain contract, a panel makes its calls and shows its controls, to the letter,', () => {
  for (const [says, chatter] of [
    ['and nothing else', {}],
    ['though the server also says what it has not announced', CHATTER],
  ] as const) {
    it(says, async () => {
      await everyFlow(chatter);
    });

    it(`${says}, with many sessions`, async () => {
      await manySessions(chatter);
    });
  }
});
