import { MESSAGE, STATES } from './recorded-server.js';

/**
 * Everything that the panel can show, as scenes. Each has a list of sessions and, where the list alone does not lead
 * there, what happens then: pushes of the server, and what a person does.
 */

/**
 * @typedef {object} Staging
 * @property {string} id - In the address of the page that shows it alone.
 * @property {string} title
 * @property {string} note - What one sees.
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
const NO_SIGNAL = 'SIN SEÑAL: WhatsApp no responde';

/** Outages of a session: how many days ago each began, and how many minutes it lasted. */
const OUTAGES = [
  [0.1, 4],
  [3, 190],
  [9, 25],
  [14.6, 1200],
];
const HISTORY = OUTAGES.flatMap(([days, minutes]) => [
  { at: ago(days * DAY - minutes), event: 'ready', state: CONNECTED },
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

/** Makes the servers of scenes announce all extensions. */
const announced = (scenes) => scenes.map((scene) => ({ extensions: EXTENSIONS, ...scene }));

/** The statuses of three test messages; nothing is reported for the last one. */
const RECEIPTS = [
  { numero: ANA, ack: { status: 'read' }, shown: 'Leído' },
  { numero: BRUNO, ack: { status: 'failed', reason: 'El número no usa WhatsApp.' }, shown: 'No se entregó' },
  { numero: CARLA, shown: 'Aceptado por el servidor' },
];

/**
 * Chapters, whose `id` is in the address of the gallery.
 *
 * @type {{ id: string, title: string, scenes: Scene[] }[]}
 */
export const chapters = [
  {
    id: 'estados',
    title: 'Estados',
    scenes: [
      {
        id: 'conectadas',
        title: 'Conectada, o de camino',
        note: 'Nada de esto pide una persona: lo que espera pasa solo.',
        sessions: [
          session(ANA, CONNECTED),
          session(BRUNO, STARTING, { waiting: true }),
          session(CARLA, STARTING),
          session(DIEGO, CLOSING, { waiting: true }),
          ...inStates('OPENING', 'PAIRING', 'TIMEOUT'),
        ],
      },
      {
        id: 'codigos',
        title: 'Códigos',
        note: 'Uno recién llegado, con el tiempo que le queda; uno de la lista, de edad desconocida; uno vencido. El reloj de esta escena se adelanta un minuto.',
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
      },
      {
        id: 'desconectadas',
        title: 'Piden levantarse, o una decisión',
        note: 'Cada una dice qué hacer. En la segunda nadie escaneó el código a tiempo.',
        sessions: [
          session(ANA, OFF),
          session(BRUNO, STARTING, { qrCode: code(4) }),
          ...inStates('CONFLICT', 'UNPAIRED', 'UNPAIRED_IDLE', 'UNLAUNCHED'),
        ],
        async play({ server, shows }) {
          await shows(BRUNO);
          server.push('qr_timeout', BRUNO);
        },
      },
      {
        id: 'bloqueadas',
        title: 'Bloqueadas',
        note: 'WhatsApp o la red se niegan: levantarlas no basta.',
        sessions: inStates('DEPRECATED_VERSION', 'PROXYBLOCK', 'SMB_TOS_BLOCK', 'TOS_BLOCK'),
      },
      {
        id: 'propias',
        title: 'Textos propios de un servidor',
        note: 'Se muestran tal cual: los puntos suspensivos dicen que espera, y tras los dos puntos va el motivo.',
        sessions: inStates(
          'Reconectando…',
          'Fuera de servicio: el teléfono pide una llave de acceso',
          'HIBERNATING',
          '',
        ),
      },
      {
        id: 'caidas',
        title: 'Se cayeron',
        note: 'Estaban conectadas mientras el panel las miraba.',
        sessions: [session(ANA, CONNECTED), session(BRUNO, CONNECTED), session(CARLA, CONNECTED)],
        async play({ server, shows }) {
          await shows(CARLA);
          server.push('disconnected', ANA);
          server.push('change_state', BRUNO, 'OPENING');
          server.push('change_state', CARLA, 'CONFLICT');
        },
      },
      {
        id: 'atascadas',
        title: 'Tardan demasiado, o fallaron',
        note: 'Un código que no llega, un teléfono que no termina, un estado que no pasa, una eliminación y una solicitud sin respuesta, y un error del servidor. El reloj de esta escena se adelanta tres minutos.',
        sessions: [
          session(ANA, STARTING, { waiting: true }),
          session(BRUNO, STARTING),
          session(CARLA, 'TIMEOUT'),
          session(DIEGO, CLOSING, { waiting: true }),
          session('56961234567', OFF),
          session('51987654321', OFF),
        ],
        start: (numero) =>
          numero === '56961234567'
            ? 'never'
            : { status: 503, message: 'El servidor no puede abrir más navegadores' },
        async play({ press, advance, shows }) {
          await press('Levantar Sesión', '56961234567');
          await press('Levantar Sesión', '51987654321');
          await shows('no puede abrir más navegadores');
          advance(185);
        },
      },
      {
        id: 'mensajes',
        title: 'Mensajes de prueba',
        note: 'Aceptado, rechazado por el número, rechazado por el servidor.',
        sessions: [session(ANA, CONNECTED), session(BRUNO, CONNECTED), session(CARLA, CONNECTED)],
        send: (to) => REFUSALS[to],
        async play({ sendMessage }) {
          const numbers = { [ANA]: DIEGO, [BRUNO]: '34699000111', [CARLA]: '56961234567' };
          for (const [numero, to] of Object.entries(numbers)) await sendMessage(numero, to);
        },
      },
    ],
  },
  {
    id: 'lista',
    title: 'La lista',
    scenes: [
      {
        id: 'sesenta',
        title: 'Sesenta sesiones en filas',
        note: 'Desde nueve sesiones, con view="auto": lo que pide una persona va primero.',
        attributes: { view: 'auto' },
        isWindow: true,
        sessions: sixty,
      },
      {
        id: 'solo-lectura',
        title: 'Solo para mirar',
        note: 'Con readonly no hay nada que levante, elimine o envíe, y no se muestra ningún código.',
        attributes: { readonly: '' },
        isWindow: true,
        sessions: [
          session(ANA, CONNECTED),
          session(BRUNO, OFF),
          session(CARLA, STARTING, { qrCode: code(3) }),
        ],
      },
      { id: 'vacia', title: 'Vacía', note: 'Todavía no hay ninguna sesión.', sessions: [] },
      {
        id: 'cargando',
        title: 'Cargando',
        note: 'El servidor todavía no responde.',
        sessions: [],
        list: 'never',
      },
      {
        id: 'sin-lista',
        title: 'No se pudo cargar',
        note: 'Con el motivo del servidor, y con Reintentar.',
        sessions: [],
        list: { status: 503, message: 'El servidor se está reiniciando' },
        attributes: { 'notification-timeout': '0' },
      },
      {
        id: 'sin-conexion',
        title: 'Sin conexión con el servidor',
        note: 'Con connection-notice: la conexión en vivo falta desde hace más de cinco segundos.',
        attributes: { 'connection-notice': '' },
        sessions: [session(ANA, CONNECTED)],
        async play({ server, advance, shows }) {
          await shows(ANA);
          server.lose();
          advance(60);
        },
      },
    ],
  },
  {
    id: 'dialogos',
    title: 'Diálogos',
    scenes: [
      {
        id: 'agregar',
        title: 'Agregar una sesión',
        note: 'Con el aviso de que ya está en la lista.',
        isWindow: true,
        sessions: [session(ANA, CONNECTED)],
        async play({ press, type }) {
          await press('Agregar una nueva sesión');
          await type('Número de teléfono', undefined, ANA);
        },
      },
      {
        id: 'eliminar',
        title: 'Eliminar una sesión',
        note: 'Siempre pregunta.',
        isWindow: true,
        sessions: [session(ANA, CONNECTED)],
        play: ({ press }) => press('Eliminar Sesión', ANA),
      },
      {
        id: 'historial',
        title: 'El historial',
        note: 'Lo que le pasó a una sesión desde que se abrió la página.',
        isWindow: true,
        sessions: [session(ANA, OFF)],
        async play({ server, press, advance, shows }) {
          await press('Levantar Sesión', ANA);
          await shows('preparando el código');
          advance(3);
          server.push('qr', ANA, code(1));
          await shows('Escanéalo');
          advance(14);
          server.push('authenticated', ANA);
          await shows('se está vinculando');
          advance(2);
          server.push('ready', ANA);
          await shows(CONNECTED);
          advance(47);
          server.push('change_state', ANA, 'TIMEOUT');
          await shows('TIMEOUT');
          await press(`Historial de ${ANA}`);
        },
      },
    ],
  },
  {
    id: 'extensiones',
    title: 'Extensiones',
    scenes: announced([
      {
        id: 'permisos',
        title: 'Quien solo puede ver códigos y levantar sesiones',
        note: 'No hay mensaje de prueba ni nada que elimine, y se sabe quién desvinculó la segunda.',
        actions: ['codes', 'start'],
        sessions: [
          session(ANA, CONNECTED, { label: 'Recepción', since: ago(190) }),
          session(BRUNO, OFF, { label: 'Caja', since: ago(50), reason: CLOSED, by: 'Lucía' }),
          session(DIEGO, STARTING, { label: 'Reparto', qrCode: code(6) }),
        ],
      },
      {
        id: 'detalles',
        title: 'Lo que el servidor cuenta',
        note: 'Nombre, grupo, desde cuándo, última señal, chats nuevos, proxy, y un enlace que alguien abrió.',
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
      },
      {
        id: 'motivos',
        title: 'Por qué no están conectadas',
        note: 'Con el motivo de WhatsApp o del servidor, y con lo que hay que hacer.',
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
      },
      {
        id: 'llave-de-acceso',
        title: 'La cuenta pide una llave de acceso',
        note: 'Continuar lleva a firmar con ella, o confirma que el código es el mismo. En la última solo se espera.',
        sessions: [
          session(ANA, STARTING, {
            label: 'Recepción',
            since: ago(1),
            passkey: {
              step: 'sign',
              text: 'La cuenta pide una llave de acceso: confírmala cerca del teléfono',
            },
          }),
          session(BRUNO, STARTING, {
            label: 'Caja',
            since: ago(2),
            passkey: {
              step: 'confirm',
              text: 'Compara este código con el que muestra el teléfono, y continúa solo si es el mismo: 42DK-PJN4',
            },
          }),
          session(CARLA, STARTING, {
            label: 'Reparto',
            since: ago(2),
            passkey: {
              step: 'wait',
              text: 'WhatsApp comprueba la llave de acceso: deja WhatsApp abierto en el teléfono.',
            },
          }),
        ],
      },
      {
        id: 'grupos',
        title: 'Grupos',
        note: 'Son secciones de la lista y un filtro, con sus propios contadores.',
        attributes: { view: 'auto' },
        isWindow: true,
        sessions: sixty.slice(0, 24).map((one, index) => ({
          ...one,
          label: `Mostrador ${index + 1}`,
          group: ['Centro', 'Norte', undefined][index % 3],
          ...(one.state === OFF && { reason: CLOSED, since: ago(25) }),
        })),
      },
      {
        id: 'menu',
        title: 'El menú de una sesión',
        note: 'Lo que se hace pocas veces.',
        isWindow: true,
        sessions: [session(ANA, OFF, { since: ago(50), reason: CLOSED })],
        async play({ press, shows }) {
          await press(`Más acciones de ${ANA}`, ANA);
          await shows('Enviar enlace');
        },
      },
      {
        id: 'nombrar',
        title: 'Nombre, grupo y proxy',
        note: 'Se escriben en la tarjeta: Enter guarda, Escape lo deja como estaba.',
        sessions: [session(ANA, CONNECTED, { label: 'Recepción', group: 'Tienda', since: ago(190) })],
        async play({ choose, shows }) {
          await choose('Nombre y grupo', ANA);
          await shows('Guardar');
        },
      },
      {
        id: 'desvincular',
        title: 'Desvincular una sesión',
        note: 'Dice qué queda.',
        isWindow: true,
        sessions: [session(ANA, CONNECTED)],
        play: ({ choose }) => choose('Desvincular', ANA),
      },
      {
        id: 'enlace',
        title: 'Un enlace para quien tiene el teléfono',
        note: 'Dura diez minutos y vincula un teléfono.',
        isWindow: true,
        sessions: [session(ANA, OFF)],
        async play({ choose, shows }) {
          await choose('Enviar enlace', ANA);
          await shows('Vence en');
        },
      },
      {
        id: 'codigo-escrito',
        title: 'Un código para escribir en el teléfono',
        note: 'En lugar del QR, en grande.',
        isWindow: true,
        sessions: [session(ANA, STARTING, { qrCode: code(1) })],
        async play({ press, shows }) {
          await press(`Ampliar el código QR de ${ANA}`);
          await press('Escribir un código');
          await shows('Copiar código');
        },
      },
      {
        id: 'treinta-dias',
        title: 'Cómo le fue',
        note: 'Arriba, cuántas veces se cayó en los últimos 30 días y cuánto tiempo estuvo sin conexión.',
        isWindow: true,
        sessions: [
          session(ANA, CONNECTED, {
            since: ago(140),
            lastSignal: ago(1),
            stability: { days: 30, drops: 4, away: 1419 * MINUTE },
          }),
        ],
        async play({ press, shows }) {
          await press(`Historial de ${ANA}`);
          await shows('No hay nada anterior');
        },
      },
      {
        id: 'llegada',
        title: 'Si llegó',
        note: 'Leído; no entregado; y sin noticias desde hace medio minuto. El reloj de esta escena se adelanta.',
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
      },
    ]),
  },
  {
    id: 'todos-los-avisos',
    title: 'Avisos',
    scenes: [
      {
        id: 'avisos',
        title: 'Lo que salió bien',
        note: 'Levantada, autenticada, mensaje enviado. Aquí no se cierran solos.',
        attributes: { 'notification-timeout': '0' },
        isWindow: true,
        sessions: [session(ANA, OFF), session(BRUNO, CONNECTED)],
        async play({ server, sendMessage, press, shows }) {
          await press('Levantar Sesión', ANA);
          await shows('comenzará a levantarse');
          server.push('qr', ANA, code(1));
          server.push('authenticated', ANA);
          await sendMessage(BRUNO, CARLA);
        },
      },
      {
        id: 'muchos-avisos',
        title: 'Muchos a la vez',
        note: 'Ocho teléfonos escanearon su código en el mismo momento.',
        attributes: { 'notification-timeout': '0' },
        isWindow: true,
        sessions: sixty.slice(0, 8).map(({ numero }) => session(numero, STARTING, { waiting: true })),
        async play({ server, shows }) {
          for (const { numero } of sixty.slice(0, 8)) {
            await shows(numero);
            server.push('qr', numero, code(5));
            server.push('authenticated', numero);
          }
        },
      },
      {
        id: 'errores',
        title: 'Lo que salió mal',
        note: 'Con el motivo del servidor.',
        attributes: { 'notification-timeout': '0' },
        isWindow: true,
        sessions: [session(ANA, OFF), session(BRUNO, CONNECTED)],
        start: () => ({ status: 503, message: 'El servidor no puede abrir más navegadores' }),
        send: () => ({ status: 502, message: 'WhatsApp no respondió' }),
        async play({ sendMessage, press, shows }) {
          await press('Levantar Sesión', ANA);
          await shows('no puede abrir más navegadores');
          await sendMessage(BRUNO, CARLA);
        },
      },
    ],
  },
];
