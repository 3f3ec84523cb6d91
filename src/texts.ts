/** Every sentence that the panel shows. To be imported as `texts`. */
import type { Bucket } from './session/counts.ts';
import type { Entry, PastEntry } from './session/history.ts';
import type { Condition, Remedy } from './session/states.ts';
import type { Order } from './settings.ts';
import { STATES, type WireQuota } from './wire.ts';

/** What happened to a session. After a colon comes the reason or the number of the entry, or its state. */
const HAPPENED = new Map<string, string>(
  Object.entries({
    qr: 'Código nuevo',
    authenticated: 'Un teléfono escaneó el código',
    ready: 'Conectada y lista para usarse',
    disconnected: 'Se desconectó',
    qr_timeout: 'Nadie escaneó el código a tiempo',
    change_state: 'Nuevo estado:',
    listed: 'Según la lista del servidor:',
    created: 'Se agregó a la lista:',
    started: 'Comenzó a levantarse',
    closing: 'Se pidió eliminarla',
    deleted: 'Eliminada',
    reopened: 'No se eliminó; sigue en la lista:',
    notStarted: 'No se pudo levantar:',
    notDeleted: 'No se pudo eliminar:',
    accepted: 'Mensaje aceptado por el servidor:',
    refused: 'Mensaje no aceptado:',
    lost: 'Se perdió la conexión con el servidor',
    back: 'Volvió la conexión con el servidor',
    // Words of the gateway: docs/contract.md.
    restored: 'El servidor se reinició',
    moved: 'Pasó a otro servidor',
    link_created: 'Se creó un enlace',
    link_opened: 'Se abrió el enlace',
    link_used: 'El enlace ya no hace falta: está conectada',
    link_revoked: 'Se anuló el enlace',
    link_expired: 'El enlace venció',
  } satisfies Record<Entry['what'], string> & Record<string, string>),
);

/** How a test message ended that was not accepted. */
const NOT_ACCEPTED = {
  unsent: 'No se envió',
  refused: 'El servidor no aceptó',
  unanswered: 'El servidor no confirmó',
};

/** A number of things, whose plural ends in an s where it is not given. */
const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

// The screen and the dialog that adds a session.
export const title = 'Administrador de Whatsapp Operadores';
export const add = 'Agregar una nueva sesión';
export const sessions = 'Sesiones activas';
export const notifies = (by: string) => `Avisos activos: ${by}`;
export const noSessions = 'No hay sesiones activas';
export const testMessage = 'Mensaje de Prueba';
export const number = 'Número';
export const state = 'Estado';
export const whatToDo = 'Qué hacer';
export const sinceWhen = 'Desde';
export const send = 'Enviar Mensaje';
export const start = 'Levantar Sesión';
export const deleteSession = 'Eliminar Sesión';
export const addTitle = 'Número de teléfono';
export const addMessage = 'Ingresa el número de teléfono (sin espacios ni guiones)';
export const addConfirm = 'Agregar';
export const cancel = 'Cancelar';

// Before a session is deleted.
export const deleteTitle = (numero: string) => `¿Estas seguro de eliminar la sesión de ${numero}?`;
export const deleteMessage = 'Interrumpirás la conexión y deberás escanear nuevamente el QR';
/** Follows {@link deleteMessage}. */
export const deleteNames = 'Se borran también su nombre, su grupo y su historial.';
export const deleteConfirm = 'Eliminar';

// Before sessions are started that are connected.
export const restartMessage = (connected: number, total: number) =>
  connected === 1
    ? `${total === 1 ? 'Está' : '1 está'} conectada. Levantarla de nuevo la interrumpe.`
    : `${connected} están conectadas. Levantarlas de nuevo las interrumpe.`;

// Notices, and why a call failed.
export const started = (numero: string) => `La sesión de ${numero} comenzará a levantarse`;
export const by = (who: string) => `por ${who}`;
export const deleted = (numero: string) => `La sesión de ${numero} ha sido eliminada`;
export const authenticated = (numero: string) => `Sesión de ${numero} autenticada y lista para usarse`;
export const noConnection = 'No hay conexión con el servidor';
export const noAnswer = 'El servidor no respondió';
export const notDone = 'El servidor no aceptó la solicitud';
export const serverFailed = 'El servidor tuvo un error';
export const networkError = 'Network Error';
export const aborted = 'Request aborted';
export const timedOut = (ms: number) => `timeout of ${ms} ms exceeded`;
export const requestFailed = (code: number, serverMessage?: string) =>
  `Request failed with status code ${code}${serverMessage === undefined ? '' : `: ${serverMessage}`}`;

// What is on the screen beside the sessions.
export const loading = 'Cargando las sesiones';
export const listLate = 'El servidor todavía no responde.';
export const listFailed = 'No se pudo cargar la lista de sesiones.';
export const retry = 'Reintentar';
export const firstSteps = 'Agrega un número y escanea el código con el teléfono.';
export const addFirst = 'Agregar la primera sesión';
export const sent = (number: string) => `Mensaje enviado a ${number}`;
export const invalidNumber = 'El número de destino no es válido';
export const impossibleNumero = (numero: string) => `El número '${numero}' no se puede pedir al servidor`;
export const signIn = 'debes iniciar sesión de nuevo';
export const noToken = 'La página no pudo dar el permiso de acceso al servidor';
export const htmlAnswer = 'El servidor respondió con una página: quizá debas iniciar sesión de nuevo.';
export const notJson = 'El servidor respondió con datos que no se entienden';
export const qrCode = (numero: string) => `Código QR para vincular ${numero}`;
export const undrawable = 'El código QR que envió el servidor no se puede dibujar';
export const waiting = 'Esperando al servidor';
export const notices = 'Notificaciones';
export const moreNotices = (count: number) => `y ${count} más`;
export const noticeTime = 'Tiempo hasta que se cierra';
export const footer = (provider: string, year: number) => `© ${year} ${provider}`;
export const announcement = (numero: string, state: string, dropped: boolean) =>
  `${dropped ? `Se cayó ${numero}` : numero}: ${state}`;
export const announcements = (count: number, dropped: number) =>
  `${count} sesiones cambiaron de estado${dropped === 0 ? '' : `; se cayeron: ${dropped}`}`;
export const announcedOverdue = (count: number) => `${count} sesiones esperan desde hace demasiado`;
export const away = (time: string) =>
  `Sin conexión con el servidor desde las ${time}. Lo que ves puede haber cambiado; se sigue intentando.`;
export const noNewsSince = (time: string) => `sin noticias desde las ${time}`;
export const allowNotifications = 'Avisarme en el escritorio';
export const crashed = 'El panel tuvo un error inesperado.';
export const cardCrashed = 'Esta sesión no se puede mostrar.';

/** What a session is in, and what to do about it; undefined where its state text says it. */
export const conditions = {
  [STATES.connected]: 'Conectada: envía y recibe mensajes.',
  [STATES.authenticating]: 'El teléfono se está vinculando.',
  [STATES.disconnected]: 'Está desconectada de WhatsApp. Levántala para volver a usarla.',
  [STATES.closing]: 'El servidor la está eliminando.',
  OPENING: 'Se está conectando con WhatsApp; suele pasar sola.',
  PAIRING: 'El teléfono se está vinculando; suele pasar en menos de un minuto.',
  TIMEOUT: 'WhatsApp no responde; el servidor lo sigue intentando.',
  CONFLICT: 'Está abierta en otro WhatsApp Web. Ciérrala allí o levanta la sesión.',
  DEPRECATED_VERSION: 'WhatsApp ya no acepta la versión del servidor: avisa a quien lo administra.',
  PROXYBLOCK: 'La red del servidor bloquea WhatsApp: avisa a quien administra el servidor.',
  SMB_TOS_BLOCK: 'WhatsApp bloqueó esta cuenta. Mira el aviso en el teléfono.',
  TOS_BLOCK: 'WhatsApp bloqueó esta cuenta. Mira el aviso en el teléfono.',
  UNLAUNCHED: 'El servidor no ha abierto WhatsApp. Levanta la sesión.',
  UNPAIRED: 'El teléfono la desvinculó. Levanta la sesión y escanea el código.',
  UNPAIRED_IDLE: 'Nadie escaneó el código a tiempo. Levanta la sesión para generar otro.',
  passing: undefined,
  explained: undefined,
  unknown: 'Estado desconocido: si sigue igual, avisa a quien administra el servidor.',
  codeDue: 'El servidor está preparando el código.',
  unscanned: 'Nadie escaneó el código a tiempo. Levanta la sesión para generar otro.',
  code: 'Escanéalo con el teléfono de este número.',
  codeExpired: 'El código venció y el servidor no ha enviado otro.',
  noCode: 'El servidor no ha enviado el código. Puede estar saturado o no poder abrir WhatsApp.',
  notReady: 'El teléfono escaneó el código, pero no se conecta. Abre WhatsApp en él.',
  notPassing: 'Sigue así desde hace más de tres minutos.',
  undoable: 'Se elimina en unos segundos.',
  notDeleting: 'El servidor no responde a la solicitud de eliminarla.',
  unanswered: 'El servidor todavía no responde. Si sigue igual, avisa a quien administra el servidor.',
  notStarted: 'No se pudo levantar la sesión',
  notDeleted: 'No se pudo eliminar la sesión',
  sendFailed: 'Conectada, pero la última prueba de envío falló.',
  notSending:
    'Conectada, pero las dos últimas pruebas de envío fallaron. Levántala de nuevo; si sigue igual, avisa a quien administra el servidor.',
  restricted: undefined,
} satisfies Record<Condition, string | undefined>;
/** The labels of the buttons for the remedies. */
export const remedies = {
  start: 'Levantar',
  again: 'Levantar de nuevo',
  retry: 'Reintentar',
  delete: 'Reintentar',
  undo: 'Deshacer',
  code: 'Ver código',
  newCode: 'Generar otro',
} satisfies Record<Remedy, string>;
export const droppedOn = (date: string) => `Se cayó el ${date}`;
export const dropped = (time: string) => `Se cayó a las ${time}`;
export const failed = (what: 'notStarted' | 'notDeleted', numero: string, error: string) =>
  `${conditions[what]} de ${numero}: ${error}. ${nextSteps.retry}`;

// The code at full size.
export const enlarge = (numero: string) => `Ampliar el código QR de ${numero}`;
export const codeTitle = (numero: string) => `Vincular ${numero}`;
export const codeCovered = 'Código vencido';
export const done = 'Listo';
export const nextCode = (count: number) => `Siguiente (${count})`;
export const showAnyway = 'Mostrar de todos modos';
export const copyImage = 'Copiar imagen';
export const imageCopied = 'Imagen copiada. Sirve hasta que el código venza.';
export const imageNotCopied = 'El navegador no permitió copiar la imagen. Puedes descargarla.';
export const downloadImage = 'Descargar PNG';
export const imageName = (numero: string) => `codigo-qr-${numero}.png`;
const steps = (numero: string, way: string, last: string) => [
  `Abre WhatsApp en el teléfono de ${numero}`,
  'Toca ⋮ (Android) o Configuración (iPhone) → Dispositivos vinculados',
  `Toca Vincular un dispositivo${way}`,
  last,
];
export const linkingSteps = (numero: string) => steps(numero, '', 'Apunta la cámara a este código');
export const passkeyTitle = 'Si el teléfono pide una llave de acceso';
export const passkey = 'Confírmala en el teléfono. Si sigue igual, avisa a quien administra el servidor.';
export const notListed = 'Esta sesión ya no está en la lista.';

// Finding one among many.
export const search = 'Buscar';
export const searchHint = 'Número o estado';
export const buckets = {
  ok: 'conectadas',
  waiting: 'En espera',
  attention: 'Requieren atención',
  dropped: 'Se cayeron',
} satisfies Partial<Record<Bucket, string>>;
/** The same words about one session. */
export const bucketsOfOne = { ...buckets, attention: 'Requiere atención', dropped: 'Se cayó' };
export const showDropped = ' · Ver';
export const countOfTotal = (count: number, total: number) => `${count} de ${total}`;
export const listView = 'Lista';
export const tools = 'Buscar y ordenar';
export const order = 'Orden';
export const orders = {
  server: 'Del servidor',
  attention: 'Por atención',
  drops: 'Las que más caen',
} satisfies Record<Order, string>;
export const found = (count: number, total: number) => `${countOfTotal(count, total)} sesiones`;
export const noMatch = 'Ninguna sesión coincide con lo que buscas.';
export const showAll = 'Mostrar todas';

// Many at once.
export const select = 'Seleccionar';
export const selectOne = (numero: string) => `Seleccionar ${numero}`;
export const selectRestartable = (count: number) => `Seleccionar las que necesitan levantarse (${count})`;
export const selectVisible = (count: number) =>
  count === 1 ? 'Seleccionar la visible' : `Seleccionar las ${count} visibles`;
export const unselect = 'Quitar selección';
export const selected = (count: number, unseen: number) =>
  `${counted(count, 'seleccionada')}${unseen === 0 ? '' : `, ${unseen} fuera del filtro`}`;
export const startSelected = (count: number) => `Levantar (${count})`;
export const groupSelected = (count: number) => `Agrupar (${count})`;
export const linkSelected = (count: number) => `Crear enlaces (${count})`;
const tasks = { start: 'Levantando', label: 'Agrupando', link: 'Creando enlaces:' };
export const bulkProgress = (task: keyof typeof tasks, ended: number, total: number) =>
  `${tasks[task]} ${countOfTotal(ended, total)}`;
export const bulkEnded = (
  task: keyof typeof tasks,
  count: (stage: 'done' | 'connected' | 'failed' | 'unanswered' | 'skipped') => number,
) => {
  const [done, failed] = [count('done'), count('failed')];
  return [
    task === 'start' && connected(count('connected')),
    task === 'label' && counted(done, 'agrupada'),
    task === 'link' && counted(done, 'enlace'),
    task === 'start' && done && `todavía no: ${done}`,
    failed && (failed === 1 ? 'falló 1' : `fallaron ${failed}`),
    count('unanswered') && `${unanswered}: ${count('unanswered')}`,
    count('skipped') && `sin empezar: ${count('skipped')}`,
  ]
    .filter(Boolean)
    .join('; ');
};
export const unanswered = 'sin respuesta todavía';
export const results = 'Resultado de cada sesión';
export const stop = 'Detener';
export const retryFailed = (count: number) =>
  count === 1 ? 'Reintentar la que falló' : `Reintentar las ${count} que fallaron`;

// What happened.
export const justNow = 'ahora';
// As Intl.RelativeTimeFormat says it, which a browser needs 10 ms to make.
export const minutesAgo = (minutes: number) => `hace ${minutes} min`;
export const hoursAgo = (hours: number) => `hace ${hours} h`;
export const daysAgo = (days: number) => `hace ${days} d`;
// No-break spaces: a line that ends between number and unit is hard to read.
const span = (minutes: number) =>
  minutes < 60 ? `${minutes}\u00a0min` : `${Math.round(minutes / 60)}\u00a0h`;
export const openRow = (numero: string) => `Abrir ${numero}`;
export const historyBegin = 'Desde que se abrió esta página (50 como máximo)';
export const history = 'Historial';
export const historyTitle = (numero: string) => `Historial de ${numero}`;
export const close = 'Cerrar';
export const copy = 'Copiar';
export const copied = 'Copiado';
export const notCopied = 'Está seleccionado: cópialo con el teclado.';
export function happened(entry: Entry | PastEntry): string {
  const { state, detail } = entry;
  const isOwn = 'what' in entry;
  const word = isOwn ? entry.what : entry.event;
  // A server may have words that the panel does not know.
  const text = HAPPENED.get(word) ?? `${word}:`;
  const sentence = text.endsWith(':') ? `${text} ${(isOwn ? detail : undefined) ?? state}` : text;
  // The reason of a `qr_timeout` says the same.
  const reason = !isOwn && detail && word !== 'qr_timeout' ? `. ${detail}` : '';
  return `${sentence}${reason}${entry.by ? ` · ${by(entry.by)}` : ''}`;
}

// How a test message ended.
export const accepted = (time: string) => `Aceptado por el servidor a las ${time}`;
export const noAnswerYet = 'El servidor todavía no responde: el mensaje puede salir o no.';
export const notAccepted = (outcome: keyof typeof NOT_ACCEPTED, to: string, error: string, next: string) =>
  `${NOT_ACCEPTED[outcome]} el mensaje${to && ` para ${to}`}: ${error}. ${next}`;
export const nextSteps = {
  number: 'Escribe el número en cifras, con el código de país.',
  correct: 'Corrígelo y vuelve a enviarlo.',
  look: 'Mira en el teléfono si salió antes de repetirlo.',
  start: 'Levanta la sesión y vuelve a enviarlo.',
  wait: 'Espera a que termine.',
  retry: 'Vuelve a intentarlo; si sigue igual, avisa a quien administra el servidor.',
};

// Keys that work while the focus is in the panel.
export const shortcutsTitle = 'Atajos de teclado';
export const shortcuts = [
  ['/', search],
  ['n', add],
  ['↑ ↓', 'Ir a otra fila de la lista'],
  ['Enter', 'Abrir la fila'],
  ['Esc', 'Cerrar la fila'],
  ['?', 'Ver estos atajos'],
];

// Names and groups.
export const searchNamesHint = 'Nombre, número…';
export const group = 'Grupo';
export const allGroups = 'Todos los grupos';
export const noGroup = 'Sin grupo';
export const needAttention = (count: number) =>
  counted(count, bucketsOfOne.attention, buckets.attention).toLowerCase();
export const groupOf = (name: string, total: number, attention: number) =>
  `${name} (${total}${attention === 0 ? '' : `, ${needAttention(attention)}`})`;
export const connected = (count: number) => counted(count, 'conectada');
export const sessionCount = (count: number) => counted(count, 'sesión', 'sesiones');
export const exportList = 'Exportar';
export const exportName = (date: string) => `sesiones-${date}.csv`;
export const nameAndGroup = 'Nombre y grupo';
export const nameField = 'Nombre';
export const exportColumns = [
  number,
  nameField,
  'Cuenta',
  group,
  state,
  sinceWhen,
  'Motivo',
  'Caídas',
  'Minutos fuera',
];
export const saveNames = 'Guardar';
export const longName = (most: number) => `El nombre y el grupo pueden tener ${most} caracteres como máximo`;

// While a numero is typed.
export const tooManyCharacters = (most: number) => `No caben más de ${most} caracteres: revisa el número.`;
export const hints = {
  listed: 'Ya está en la lista. Levantarla de nuevo la interrumpe si está conectada.',
  listedAs: (numero: string) => `Ya está en la lista como ${numero}.`,
  mexico: 'Los celulares de México suelen llevar un 1 después del 52.',
  argentina: 'Los celulares de Argentina se escriben 54 9, área y número, sin 0 ni 15.',
};

// The menu of a session.
export const moreActions = (numero: string) => `Más acciones de ${numero}`;
export const sendLink = 'Enviar enlace';
export const unlink = 'Desvincular';
export const unlinkTitle = (numero: string) => `¿Desvincular el WhatsApp de ${numero}?`;
/** @param isLocal - whether the phone goes on listing the device */
export const unlinkMessage = (isLocal: boolean) => {
  const begin = isLocal
    ? 'Este servidor no quita el dispositivo del teléfono: quítalo también allí, en Dispositivos vinculados. La sesión'
    : 'El teléfono perderá este dispositivo, y la sesión';
  return `${begin} dejará de enviar y recibir. Seguirá en la lista con su nombre y su historial. Para volver a usarla habrá que vincular el teléfono de nuevo.`;
};

// What a server with extensions tells of a session.
export const notOffered = 'El servidor ya no lo ofrece';
export const since = (ago: string) => `Desde ${ago === justNow ? 'hace poco' : ago}`;
export const lastSignal = (ago: string) => `Última señal ${ago}`;
export const newChats = ({ used, total }: WireQuota) => `Chats nuevos: ${countOfTotal(used, total)}`;
export const linkOut = (expires: string) => `Enlace enviado, vence a las ${expires}`;
export const linkOpened = (time: string) => `Enlace abierto a las ${time}`;
export const reason = (text: string) => `Motivo: ${text}`;
export const pageOpened = 'Se abrió esta página';
export const earlier = 'Ver anteriores';
export const noneEarlier = 'No hay nada anterior.';
export const loadingPast = 'Cargando el historial del servidor…';
export const pastFailed = (error: string) => `No se pudo cargar el historial del servidor: ${error}.`;
/** How a session has been. */
export const stability = (days: number, drops: number, minutes: number) =>
  `${days === 1 ? 'Último día' : `Últimos ${days} días`}: ${counted(drops, 'caída')}, ${span(minutes)} fuera`;
export const loadedPast = (count: number) => counted(count, 'entrada más', 'entradas más');

// Linking with a code to type.
export const pair = 'Vincular con un código';
export const pairingCode = (code: string) => `Código: ${[...code].join(' ')}`;
export const copyCode = 'Copiar código';
export const anotherCode = 'Pedir otro';
export const codeOver = 'El código venció.';
export const timeLeft = (time: string) => `Vence en ${time}`;
export const pairingSteps = (numero: string) =>
  steps(numero, ' → Vincular con el número de teléfono', 'Escribe este código');
export const pairingPhone = (numero: string) => `Solo sirve en el teléfono de ${numero}.`;

// The link for who has the phone.
export const linkTitle = (numero: string) => `Enlace para vincular ${numero}`;
export const linkAdvice = (numero: string) => `Envíalo a quien tiene el teléfono de ${numero}.`;
export const creatingLink = 'Creando el enlace…';
export const linkFailed = (error: string) => `No se pudo crear el enlace: ${error}.`;
export const linkOver = 'Este enlace ya no sirve.';
export const linkHidden = 'No se puede volver a mostrar. Crear otro lo anula.';
export const alreadyLinked = 'Ya está conectada.';
export const anotherLink = 'Crear otro';
export const revoke = 'Anular';
export const share = 'Compartir';
export const mail = 'Enviar por correo';
export const linkSubject = (numero: string) => `Vincular el WhatsApp de ${numero}`;
export const linkBody = (numero: string, expires: string) =>
  `Abre este enlace y sigue los pasos para vincular el WhatsApp de ${numero}. Sirve hasta las ${expires}.`;

// What became of a test message.
export const acks = {
  server: 'Aceptado por WhatsApp',
  device: 'Entregado',
  read: 'Leído',
};
export const ackedAt = (what: string, time: string) => `${what} a las ${time}`;
export const undelivered = (error = 'WhatsApp lo rechazó') => `No se entregó: ${error.replace(/\.$/, '')}.`;
export const unacked =
  'WhatsApp no ha confirmado el mensaje. Mira en el teléfono si salió antes de repetirlo.';
