import { MESSAGE, STATES } from './recorded-server.js';

/**
 * Everything that the panel can show, as scenes. Each has a list of sessions and, where the list alone does not lead
 * there, what happens then: pushes of the server, and what a person does.
 */

/**
 * @typedef {object} Staging
 * @property {string} id - In the address of the page that shows it alone.
 * @property {string} title
 * @property {Record<string, string>} [attributes] - Of the panel.
 * @property {boolean} [isWindow] - Whether it is shown in a window of a fixed height: for dialogs, notices, long lists.
 * @property {(stage: import('./stage.js').Stage) => Promise<void> | void} [play]
 *
 * @typedef {Staging & import('./recorded-server.js').Recording} Scene
 */

const { starting: STARTING, connected: CONNECTED, off: OFF, closing: CLOSING } = STATES;

const ANA = '5215550001111';
const BRUNO = '5491140617284';
const CARLA = '34600111222';
const DIEGO = '573105550142';

/** Texts of the form and length of WhatsApp's, always the same. */
const code = (seed) => `2@${Array.from({ length: 228 }, (_, index) => letter(index * 7 + seed)).join('')}==`;
const letter = (index) =>
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.at((index * index) % 61);

/** @returns {Scene} */
const scene = (id, title, rest) => ({ id, title, ...rest });

const session = (numero, state, more) => ({ numero, state, waiting: false, ...more });
/** One session in each of these states. */
const inStates = (...states) =>
  states.map((state, index) => session(`52155500${20 + index}11${index}`, state));

/** By the number that a message goes to. */
const REFUSALS = {
  34699000111: { status: 422, message: '34699000111 no tiene WhatsApp' },
  56961234567: { status: 503, message: 'La sesión perdió la línea' },
};

/** What is unusual about a few of the sixty. */
const UNUSUAL = {
  4: OFF,
  9: 'CONFLICT',
  16: 'UNPAIRED',
  22: 'OPENING',
  37: OFF,
  41: 'TOS_BLOCK',
  55: 'HIBERNATING',
};

/** Sixty sessions, most of them well. */
const sixty = Array.from({ length: 60 }, (_, index) => {
  const numero = `52155${String(10_000_000 + ((index * 7_654_321) % 89_000_000))}`;
  if (index % 10 === 3) return session(numero, STARTING, { qrCode: code(index) });
  return session(numero, UNUSUAL[index] ?? CONNECTED);
});

const MINUTE = 60_000;
const DAY = 24 * 60;
const ago = (minutes) => Date.now() - minutes * MINUTE;
const CLOSED = { code: 'device-removed', text: 'El dispositivo se quitó desde el teléfono.' };
const REPLACED = { code: 'replaced', text: 'Otra computadora usa esta sesión.' };
const SILENT = { code: 'silent', text: 'WhatsApp dejó de responder: abre WhatsApp en el teléfono' };
const DEAD_KEYS = { code: 'dead-keys', text: 'WhatsApp rechaza las claves una y otra vez' };
const NO_PROXY = {
  code: 'proxy',
  text: 'El proxy proxy.example:8080 no responde. Sin él, la sesión no se conecta.',
};
const RESTRICTED = { text: 'Restringida por WhatsApp: puede responder, pero no iniciar chats nuevos.' };
/** The steps of a passkey, each with its sentence. */
const PASSKEY = {
  sign: 'La cuenta pide una llave de acceso: confírmala cerca del teléfono',
  confirm: 'Compara este código con el que muestra el teléfono, y continúa solo si es el mismo: 42DK-PJN4',
  wait: 'WhatsApp comprueba la llave de acceso: deja WhatsApp abierto en el teléfono.',
};
const NO_SIGNAL = 'SIN SEÑAL: WhatsApp no responde';

/** Outages of 25 minutes, by how many days ago each began. */
const HISTORY = [0.1, 3, 9, 14.6].flatMap((days) => [
  { at: ago(days * DAY - 25), event: 'ready', state: CONNECTED },
  { at: ago(days * DAY), event: 'change_state', state: NO_SIGNAL, detail: SILENT.text, code: SILENT.code },
]);

const EXTENSIONS = {
  details: {},
  label: {},
  unlink: {},
  ack: {},
  proxy: {},
  passkey: {},
  link: { id: 'a1', url: `${location.origin}/l/#Zr4u7xAbcDeFGKaPdSgVkQ`, expires: ago(-10) },
  pairing: { code: 'WZK7PM4D', expires: ago(-2) },
  history: HISTORY,
};

/** The statuses of three test messages; nothing is reported for the last one. */
const RECEIPTS = [
  { numero: ANA, ack: { status: 'read' }, shown: 'Leído' },
  { numero: BRUNO, ack: { status: 'failed', reason: 'El número no usa WhatsApp.' }, shown: 'No se entregó' },
  { numero: CARLA, shown: 'Aceptado por el servidor' },
];

/**
 * Chapters, whose `id` is in the address of the gallery, each with the scene that is its picture.
 *
 * @type {{ id: string, title: string, note: string, cover: string, isWindow?: true, scenes: Scene[] }[]}
 */
export const chapters = [
  {
    id: 'estados',
    title: 'Estados',
    note: 'Conectada, con código, en espera, caída',
    cover: 'permisos',
    scenes: [
      scene('conectadas', 'Conectada, o de camino', {
        sessions: [
          session(ANA, CONNECTED),
          session(BRUNO, STARTING, { waiting: true }),
          session(CARLA, STARTING),
          session(DIEGO, CLOSING, { waiting: true }),
          ...inStates('OPENING', 'PAIRING', 'TIMEOUT'),
        ],
      }),
      scene('codigos', 'Códigos: uno nuevo, uno de edad desconocida, uno vencido', {
        sessions: [
          session(ANA, STARTING, { waiting: true }),
          session(BRUNO, STARTING, { waiting: true }),
          session(CARLA, STARTING, { qrCode: code(3) }),
        ],
        async play({ server, advance, shows }) {
          await shows(CARLA);
          advance(64);
          await shows('venció');
          server.push('qr', ANA, code(1));
          server.push('qr', BRUNO, code(2));
        },
      }),
      scene('desconectadas', 'Se cayó, o pide levantarse o una decisión', {
        sessions: [
          session(ANA, CONNECTED),
          session(BRUNO, STARTING, { qrCode: code(4) }),
          session(CARLA, OFF),
          ...inStates('CONFLICT', 'UNPAIRED', 'UNPAIRED_IDLE', 'UNLAUNCHED'),
        ],
        async play({ server, shows }) {
          await shows(CARLA);
          server.push('disconnected', ANA);
          server.push('qr_timeout', BRUNO);
        },
      }),
      scene('bloqueadas', 'Bloqueadas', {
        sessions: inStates('DEPRECATED_VERSION', 'PROXYBLOCK', 'SMB_TOS_BLOCK', 'TOS_BLOCK'),
      }),
      scene('propias', 'Textos propios de un servidor', {
        sessions: inStates('Reconectando…', 'Fuera de servicio: el teléfono se reinicia', 'HIBERNATING', ''),
      }),
      scene('atascadas', 'Tardan demasiado, o fallaron, tres minutos después', {
        sessions: [
          session(ANA, STARTING, { waiting: true }),
          session(BRUNO, STARTING),
          session(CARLA, 'TIMEOUT'),
          session(DIEGO, CLOSING, { waiting: true }),
          session('51987654321', OFF),
        ],
        start: () => ({ status: 503, message: 'El servidor no puede abrir más navegadores' }),
        async play({ press, advance, shows }) {
          await press('Levantar Sesión', '51987654321');
          await shows('no puede abrir más navegadores');
          advance(185);
        },
      }),
      scene('mensajes', 'Mensajes de prueba', {
        sessions: [session(ANA, CONNECTED), session(BRUNO, CONNECTED), session(CARLA, CONNECTED)],
        send: (to) => REFUSALS[to],
        async play({ sendMessage }) {
          const numbers = { [ANA]: DIEGO, [BRUNO]: '34699000111', [CARLA]: '56961234567' };
          for (const [numero, to] of Object.entries(numbers)) await sendMessage(numero, to);
        },
      }),
    ],
  },
  {
    id: 'lista',
    title: 'La lista',
    note: 'Lo que pide una persona va primero',
    cover: 'sesenta',
    scenes: [
      scene('sesenta', 'Sesenta sesiones en filas, con view="auto"', {
        attributes: { view: 'auto' },
        isWindow: true,
        sessions: sixty,
      }),
      scene('solo-lectura', 'Solo para mirar, con readonly', {
        attributes: { readonly: '' },
        isWindow: true,
        sessions: [
          session(ANA, CONNECTED),
          session(BRUNO, OFF),
          session(CARLA, STARTING, { qrCode: code(3) }),
        ],
      }),
    ],
  },
  {
    id: 'un-numero',
    title: 'Un solo número',
    note: 'En los ajustes de un producto, con numero',
    cover: 'uno-conectada',
    scenes: [
      scene('uno-conectada', 'Conectada', {
        sessions: [
          session(ANA, CONNECTED, { label: 'Ventas Costa', since: ago(3 * DAY), lastSignal: ago(2) }),
        ],
      }),
      scene('uno-prueba', 'Con la prueba abierta', {
        sessions: [
          session(ANA, CONNECTED, { label: 'Ventas Costa', since: ago(3 * DAY), lastSignal: ago(2) }),
        ],
        async play({ open, sendMessage }) {
          await open('Mensaje de Prueba');
          await sendMessage(ANA, BRUNO);
        },
      }),
      scene('uno-restringida', 'Restringida', {
        sessions: [
          session(ANA, CONNECTED, {
            label: 'Entregas Oeste',
            since: ago(3 * DAY),
            restricted: { ...RESTRICTED, until: ago(-80) },
            quota: { used: 97, total: 100 },
          }),
        ],
      }),
      scene('uno-espera', 'En espera de un código', {
        sessions: [session(ANA, STARTING, { label: 'Almacén Central', waiting: true })],
      }),
      scene('uno-codigo', 'Con un código', {
        sessions: [session(ANA, STARTING, { label: 'Almacén Central', waiting: true })],
        async play({ server, shows }) {
          await shows('Almacén Central');
          server.push('qr', ANA, code(1));
        },
      }),
      scene('uno-escrito', 'Con un código para escribir', {
        sessions: [session(ANA, STARTING, { label: 'Almacén Central', qrCode: code(1) })],
        async play({ press, shows }) {
          await press('Escribir un código');
          await shows('Copiar código');
        },
      }),
      scene('uno-vencido', 'Con un código vencido', {
        sessions: [session(ANA, STARTING, { label: 'Almacén Central', qrCode: code(1) })],
        async play({ advance, shows }) {
          await shows('Almacén Central');
          advance(64);
          await shows('venció');
        },
      }),
      scene('uno-caida', 'Se cayó', {
        sessions: [session(ANA, OFF, { label: 'Cobranzas', since: ago(50), reason: CLOSED })],
      }),
      scene('uno-abriendo', 'Se conecta', {
        sessions: [session(ANA, 'OPENING', { label: 'Ventas Costa', since: ago(1) })],
      }),
      scene('uno-lectura', 'Solo para mirar', {
        attributes: { readonly: '' },
        sessions: [session(ANA, OFF, { label: 'Cobranzas', since: ago(50), reason: CLOSED })],
      }),
      scene('uno-nuevo', 'Todavía no existe', { sessions: [] }),
      scene('uno-sin-lista', 'No se pudo cargar', {
        sessions: [],
        list: { status: 503, message: 'El servidor se está reiniciando' },
      }),
      scene('uno-cargando', 'Cargando', { sessions: [], list: 'never' }),
      scene('uno-sin-conexion', 'Sin conexión con el servidor', {
        attributes: { 'connection-notice': '' },
        sessions: [session(ANA, CONNECTED, { label: 'Ventas Costa', since: ago(3 * DAY) })],
        async play({ server, advance, shows }) {
          await shows('Ventas Costa');
          server.lose();
          advance(60);
        },
      }),
      scene('uno-menu', 'El menú', {
        isWindow: true,
        sessions: [session(ANA, CONNECTED, { label: 'Ventas Costa', since: ago(3 * DAY) })],
        play: ({ press }) => press(`Más acciones de ${ANA}`, ANA),
      }),
    ].map((scene) => ({
      extensions: EXTENSIONS,
      ...scene,
      attributes: { numero: ANA, ...scene.attributes },
    })),
  },
  {
    id: 'falta',
    title: 'Vacía, sin conexión',
    note: 'Cargando, sin sesiones, sin servidor',
    cover: 'vacia',
    scenes: [
      scene('vacia', 'Vacía', { sessions: [] }),
      scene('cargando', 'Cargando', { sessions: [], list: 'never' }),
      scene('sin-lista', 'No se pudo cargar', {
        sessions: [],
        list: { status: 503, message: 'El servidor se está reiniciando' },
        attributes: { 'notification-timeout': '0' },
      }),
      scene('sin-conexion', 'Sin conexión con el servidor, con connection-notice', {
        attributes: { 'connection-notice': '' },
        sessions: [session(ANA, CONNECTED)],
        async play({ server, advance, shows }) {
          await shows(ANA);
          server.lose();
          advance(60);
        },
      }),
    ],
  },
  {
    id: 'dialogos',
    title: 'Diálogos',
    note: 'Agregar, eliminar, el historial',
    cover: 'eliminar',
    isWindow: true,
    scenes: [
      scene('agregar', 'Agregar una sesión', {
        sessions: [session(ANA, CONNECTED)],
        async play({ press, type }) {
          await press('Agregar una nueva sesión');
          await type('Número de teléfono', undefined, ANA);
        },
      }),
      scene('eliminar', 'Eliminar una sesión', {
        sessions: [session(ANA, CONNECTED)],
        play: ({ press }) => press('Eliminar Sesión', ANA),
      }),
      scene('historial', 'El historial', {
        sessions: [session(ANA, 'PAIRING')],
        async play({ server, press, advance, shows }) {
          await shows('PAIRING');
          for (const state of [CONNECTED, 'OPENING', 'TIMEOUT']) {
            advance(47);
            server.push('change_state', ANA, state);
            await shows(state);
          }
          await press(`Historial de ${ANA}`);
        },
      }),
    ],
  },
  {
    id: 'extensiones',
    title: 'Extensiones',
    note: 'Lo que un servidor puede hacer además',
    cover: 'codigo-escrito',
    scenes: [
      scene('permisos', 'Quien solo puede ver códigos y levantar sesiones', {
        actions: ['codes', 'start'],
        sessions: [
          session(ANA, CONNECTED, { label: 'Recepción', since: ago(190) }),
          session(BRUNO, OFF, { label: 'Caja', since: ago(50), reason: CLOSED, by: 'Lucía' }),
          session(DIEGO, STARTING, { label: 'Reparto', qrCode: code(6) }),
        ],
      }),
      scene('detalles', 'Lo que el servidor cuenta', {
        sessions: [
          session(ANA, CONNECTED, {
            label: 'Recepción',
            group: 'Tienda',
            since: ago(190),
            lastSignal: ago(1),
            proxy: 'proxy.example:1080',
            exit: '203.0.113.7',
          }),
          session(BRUNO, CONNECTED, {
            label: 'Caja',
            group: 'Tienda',
            since: ago(4000),
            lastSignal: ago(3),
            restricted: { ...RESTRICTED, until: ago(-80) },
            quota: { used: 100, total: 100 },
          }),
          session(CARLA, CONNECTED, { name: 'Carla', since: ago(90), quota: { used: 97, total: 100 } }),
          session(DIEGO, STARTING, {
            label: 'Reparto',
            qrCode: code(6),
            link: { id: 'a2', expires: ago(-8), opened: ago(1) },
          }),
        ],
      }),
      scene('motivos', 'Por qué no están conectadas', {
        sessions: [
          session(ANA, OFF, { label: 'Caja', since: ago(50), reason: CLOSED }),
          session(BRUNO, OFF, { name: 'Bruno', since: ago(2000), reason: REPLACED }),
          session(CARLA, NO_SIGNAL, { since: ago(6), reason: SILENT }),
          session(DIEGO, 'CLAVES RECHAZADAS: hay que vincular el teléfono de nuevo', {
            since: ago(50),
            reason: DEAD_KEYS,
          }),
          session('56961234567', 'SIN CONEXIÓN CON EL PROXY: se sigue intentando...', {
            since: ago(2),
            reason: NO_PROXY,
            proxy: 'proxy.example:8080',
          }),
        ],
      }),
      scene('llave-de-acceso', 'La cuenta pide una llave de acceso', {
        sessions: Object.entries(PASSKEY).map(([step, text], index) =>
          session([ANA, BRUNO, CARLA][index], STARTING, { since: ago(2), passkey: { step, text } }),
        ),
      }),
      scene('grupos', 'Grupos', {
        attributes: { view: 'auto' },
        isWindow: true,
        sessions: sixty.slice(0, 24).map((one, index) => ({
          ...one,
          label: `Mostrador ${index + 1}`,
          group: ['Centro', 'Norte', undefined][index % 3],
          ...(one.state === OFF && { reason: CLOSED, since: ago(25) }),
        })),
      }),
      scene('menu', 'El menú de una sesión', {
        isWindow: true,
        sessions: [session(ANA, OFF, { since: ago(50), reason: CLOSED })],
        play: ({ press }) => press(`Más acciones de ${ANA}`, ANA),
      }),
      scene('nombrar', 'Nombre, grupo y proxy', {
        sessions: [session(ANA, CONNECTED, { label: 'Recepción', group: 'Tienda', since: ago(190) })],
        play: ({ choose }) => choose('Nombre y grupo', ANA),
      }),
      scene('desvincular', 'Desvincular una sesión', {
        isWindow: true,
        sessions: [session(ANA, CONNECTED)],
        play: ({ choose }) => choose('Desvincular', ANA),
      }),
      scene('enlace', 'Un enlace para quien tiene el teléfono', {
        isWindow: true,
        sessions: [session(ANA, OFF)],
        async play({ choose, shows }) {
          await choose('Enviar enlace', ANA);
          await shows('Vence en');
        },
      }),
      scene('codigo-escrito', 'Un código para escribir en el teléfono', {
        isWindow: true,
        sessions: [session(ANA, STARTING, { qrCode: code(1) })],
        async play({ press, shows }) {
          await press(`Ampliar el código QR de ${ANA}`);
          await press('Escribir un código');
          await shows('Copiar código');
        },
      }),
      scene('treinta-dias', 'Cómo le fue', {
        isWindow: true,
        sessions: [
          session(ANA, CONNECTED, {
            since: ago(140),
            lastSignal: ago(1),
            stability: { days: 30, drops: 4, away: 100 * MINUTE },
          }),
        ],
        play: ({ press }) => press(`Historial de ${ANA}`),
      }),
      scene('llegada', 'Si llegó', {
        sessions: [session(ANA, CONNECTED), session(BRUNO, CONNECTED), session(CARLA, CONNECTED)],
        async play({ server, sendMessage, shows, advance }) {
          for (const { numero, ack, shown } of RECEIPTS) {
            await sendMessage(numero, DIEGO);
            await shows('Aceptado por el servidor');
            if (ack)
              server.tell('message:ack', { id: MESSAGE, remitente: numero, contacto: Number(DIEGO), ...ack });
            await shows(shown);
          }
          advance(35);
        },
      }),
    ].map((scene) => ({ extensions: EXTENSIONS, ...scene })),
  },
  {
    id: 'todos-los-avisos',
    title: 'Avisos',
    note: 'Lo que salió bien, y lo que salió mal',
    cover: 'muchos-avisos',
    isWindow: true,
    scenes: [
      scene('avisos', 'Lo que salió bien', {
        attributes: { 'notification-timeout': '0' },
        sessions: [session(ANA, OFF), session(BRUNO, CONNECTED)],
        async play({ server, sendMessage, press, shows }) {
          await press('Levantar Sesión', ANA);
          await shows('comenzará a levantarse');
          server.push('qr', ANA, code(1));
          server.push('authenticated', ANA);
          await sendMessage(BRUNO, CARLA);
        },
      }),
      scene('muchos-avisos', 'Muchos a la vez', {
        attributes: { 'notification-timeout': '0' },
        sessions: sixty.slice(0, 8).map(({ numero }) => session(numero, STARTING, { waiting: true })),
        async play({ server, shows }) {
          for (const { numero } of sixty.slice(0, 8)) {
            await shows(numero);
            server.push('qr', numero, code(5));
            server.push('authenticated', numero);
          }
        },
      }),
      scene('errores', 'Lo que salió mal', {
        attributes: { 'notification-timeout': '0' },
        sessions: [session(ANA, OFF), session(BRUNO, CONNECTED)],
        start: () => ({ status: 503, message: 'El servidor no puede abrir más navegadores' }),
        send: () => ({ status: 502, message: 'WhatsApp no respondió' }),
        async play({ sendMessage, press, shows }) {
          await press('Levantar Sesión', ANA);
          await shows('no puede abrir más navegadores');
          await sendMessage(BRUNO, CARLA);
        },
      }),
    ],
  },
];
