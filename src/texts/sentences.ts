/**
 * Every sentence that the panel shows. To be imported as `texts`, and shown by `t`, which replaces them: a sentence is its own
 * key. `{0}` is the first value, `{1}` the second. A pair is a singular and a plural.
 */
import { STATES } from '../wire.ts';

/** The language of the sentences, as a BCP 47 tag. */
export const language = 'es';

/** What happened to a session. A value is the reason or the number of the entry, or its state. */
export const happened = {
  qr: 'Código nuevo',
  authenticated: 'Un teléfono escaneó el código',
  ready: 'Conectada y lista para usarse',
  disconnected: 'Se desconectó',
  qr_timeout: 'Nadie escaneó el código a tiempo',
  change_state: 'Nuevo estado: {0}',
  listed: 'Al abrir la página: {0}',
  created: 'Se agregó a la lista: {0}',
  started: 'Comenzó a levantarse',
  closing: 'Se pidió eliminarla',
  deleted: 'Eliminada',
  reopened: 'No se eliminó; sigue en la lista: {0}',
  notStarted: 'No se pudo levantar: {0}',
  notDeleted: 'No se pudo eliminar: {0}',
  accepted: 'Mensaje aceptado por el servidor: {0}',
  refused: 'Mensaje no aceptado: {0}',
  // Words of the gateway: docs/contract.md.
  restored: 'El servidor se reinició',
  moved: 'Pasó a otro servidor',
  link_created: 'Se creó un enlace',
  link_opened: 'Se abrió el enlace',
  link_used: 'El enlace ya no hace falta: está conectada',
  link_revoked: 'Se anuló el enlace',
  link_expired: 'El enlace venció',
  proxy: 'Se cambió el proxy',
} as const;

// How a test message ended that was not accepted.
export const unsent = 'No se envió el mensaje: {0}.';
export const refused = 'El servidor no aceptó el mensaje: {0}.';
export const unconfirmed = 'El servidor no confirmó el mensaje: {0}.';

// The screen and the dialog that adds a session.
export const title = 'Administrador de Whatsapp Operadores';
export const add = 'Agregar una nueva sesión';
export const sessions = 'Sesiones activas';
export const notifies = 'Se avisa por {0}';
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
export const deleteTitle = '¿Estas seguro de eliminar la sesión de {0}?';
export const deleteMessage = 'Interrumpirás la conexión y deberás escanear nuevamente el QR';
export const deleteConfirm = 'Eliminar';

// Notices, and why a call failed.
export const started = 'La sesión de {0} comenzará a levantarse';
export const by = 'por {0}';
export const deleted = 'La sesión de {0} ha sido eliminada';
export const authenticated = 'Sesión de {0} autenticada y lista para usarse';
export const noConnection = 'Sin conexión con el servidor';
export const noAnswer = 'El servidor no respondió';
export const notDone = 'El servidor no aceptó la solicitud';
export const serverFailed = 'El servidor tuvo un error';
export const networkError = 'Network Error';
export const aborted = 'Request aborted';
export const timedOut = 'timeout of {0} ms exceeded';
export const requestFailed = 'Request failed with status code {0}';

// What is on the screen beside the sessions.
export const loading = 'Cargando las sesiones';
export const listLate = 'El servidor todavía no responde.';
export const listFailed = 'No se pudo cargar la lista de sesiones';
export const retry = 'Reintentar';
export const notLinked = 'WhatsApp sin vincular';
export const havePhone = 'Ten a mano el teléfono de este número: vas a escanear un código.';
/** To who may not do what is needed. */
export const askOthers = 'Pide a quien administra las sesiones que lo vincule.';
export const firstSteps = 'Agrega un número y escanea el código con el teléfono.';
export const addFirst = 'Agregar la primera sesión';
export const sent = 'Mensaje enviado a {0}';
export const invalidNumber = 'El número de destino no es válido.';
export const impossibleNumero = "El número '{0}' no se puede pedir al servidor.";
export const signIn = 'debes iniciar sesión de nuevo';
export const noToken = 'La página no pudo dar el permiso de acceso al servidor.';
export const htmlAnswer =
  'El servidor respondió con una página web; tal vez tengas que iniciar sesión de nuevo.';
export const notJson = 'El servidor respondió con datos que el panel no entiende.';
export const qrCode = 'Código QR para vincular {0}';
export const undrawable = 'El código QR que envió el servidor no se puede dibujar.';
export const waiting = 'Esperando al servidor';
export const notices = 'Avisos';
export const moreNotices = 'y {0} más';
export const noticeTime = 'Tiempo hasta que se cierra';
export const footer = '© {0} {1}';
export const droppedTo = 'Se cayó {0}: {1}';
export const changes = '{0} sesiones cambiaron de estado';
export const changesAndDrops = '{0} sesiones cambiaron de estado; se cayeron: {1}';
export const announcedOverdue = '{0} sesiones llevan demasiado tiempo esperando';
export const away =
  'Sin conexión con el servidor desde las {0}. Lo que ves puede haber cambiado. Reintentando…';
export const crashed = 'El panel tuvo un error inesperado.';
export const cardCrashed = 'Esta sesión no se puede mostrar.';

/** What a session is in. */
export const conditions = {
  [STATES.connected]: 'Conectada: envía y recibe mensajes.',
  [STATES.authenticating]: 'El teléfono se está vinculando.',
  [STATES.disconnected]: 'Está desconectada de WhatsApp.',
  [STATES.closing]: 'El servidor la está eliminando.',
  OPENING: 'Se está conectando con WhatsApp; suele tardar menos de un minuto.',
  PAIRING: 'El teléfono se está vinculando.',
  TIMEOUT: 'WhatsApp no responde; el servidor lo sigue intentando.',
  CONFLICT: 'Está abierta en otro WhatsApp Web.',
  DEPRECATED_VERSION: 'WhatsApp ya no acepta la versión del servidor: avisa a quien lo administra.',
  PROXYBLOCK: 'La red del servidor bloquea WhatsApp: avisa a quien administra el servidor.',
  SMB_TOS_BLOCK: 'WhatsApp bloqueó esta cuenta. Mira el aviso en el teléfono.',
  TOS_BLOCK: 'WhatsApp bloqueó esta cuenta. Mira el aviso en el teléfono.',
  UNLAUNCHED: 'El servidor no ha abierto WhatsApp.',
  UNPAIRED: 'El teléfono la desvinculó.',
  UNPAIRED_IDLE: 'Nadie escaneó el código a tiempo.',
  unknown: 'Estado desconocido: si sigue igual, avisa a quien administra el servidor.',
  codeDue: 'El servidor está preparando el código.',
  code: 'Escanéalo con el teléfono de este número.',
  codeExpired: 'El código venció y el servidor no ha enviado otro.',
  noCode: 'El servidor no ha enviado el código. Puede estar saturado o no poder abrir WhatsApp.',
  notPassing: 'Sigue así desde hace más de tres minutos.',
  notDeleting: 'El servidor no responde a la solicitud de eliminarla.',
} as const;
/** What only a panel finds that stays open: what came of a scan, or of an action of the operator. */
export const outcomes = {
  notReady: 'El teléfono escaneó el código, pero no se conecta. Abre WhatsApp en el teléfono.',
  unanswered: 'El servidor todavía no responde. Si sigue igual, avisa a quien administra el servidor.',
  sendFailed: 'Conectada, pero la última prueba de envío falló.',
  notSending: 'Conectada, pero las dos últimas pruebas de envío fallaron.',
} as const;
/** Follows it, for who may do that. */
export const toDo = {
  [STATES.disconnected]: 'Levántala para volver a usarla.',
  CONFLICT: 'Ciérrala allí o levanta la sesión.',
  UNLAUNCHED: 'Levanta la sesión.',
  UNPAIRED: 'Levanta la sesión y escanea el código.',
  UNPAIRED_IDLE: 'Levanta la sesión para generar otro.',
} as const;
/** Follows `notSending`, for who may do that. */
export const startAgain = 'Levántala de nuevo; si sigue igual, avisa a quien administra el servidor.';
/** To who may not see the code. */
export const unscanned = 'Falta escanear el código.';
export const remedies = {
  start: 'Levantar',
  retry: 'Reintentar',
  delete: 'Reintentar',
  code: 'Ver código',
  newCode: 'Generar otro',
  passkey: 'Continuar',
} as const;
export const droppedOn = 'Se cayó el {0}';
export const dropped = 'Se cayó a las {0}';
export const until = '{0}. Hasta el {1}.';

// The code at full size.
export const enlarge = 'Ampliar el código QR de {0}';
export const codeTitle = 'Vincular {0}';
export const codeCovered = 'Código vencido';
export const showAnyway = 'Mostrar de todos modos';
export const linkingSteps = [
  'Abre WhatsApp en el teléfono de este número',
  'Toca ⋮ (Android) o Configuración (iPhone) → Dispositivos vinculados',
  'Toca Vincular un dispositivo',
  'Apunta la cámara a este código',
] as const;
export const passkeyTitle = 'Si el teléfono pide una llave de acceso';
export const passkey = 'Confírmala en el teléfono. Si sigue igual, avisa a quien administra el servidor.';
export const notListed = 'Esta sesión ya no está en la lista.';

// Finding one among many.
export const search = 'Buscar';
export const searchHint = 'Nombre, número…';
export const buckets = {
  waiting: 'En espera',
  attention: ['Requiere atención', 'Requieren atención'],
  dropped: ['Se cayó', 'Se cayeron'],
} as const;
export const all = 'Todas';
export const connectedOf = '{0} de {1} conectadas';
export const views = { list: 'Lista', cards: 'Tarjetas' } as const;
export const order = 'Orden';
export const orders = {
  server: 'Como en el servidor',
  attention: 'Por urgencia',
} as const;
export const found = '{0} de {1} sesiones';
export const noMatch = 'Ninguna sesión coincide con lo que buscas.';
export const showAll = 'Mostrar todas';

// Many at once.
export const selectOne = 'Seleccionar {0}';
export const selectRestartable = 'Las que hay que levantar ({0})';
export const selectAll = 'Todas ({0})';
/** Where a filter or a folded section hides the others. */
export const selectVisible = ['La visible', 'Las {0} visibles'] as const;
export const unselect = 'Quitar selección';
export const selected = ['{0} seleccionada', '{0} seleccionadas'] as const;
export const startSelected = 'Levantar ({0})';
export const groupMany = 'Agrupar…';
export const groupSelected = 'Agrupar ({0})';
export const linkSelected = 'Crear enlaces ({0})';
export const starting = 'Levantando {0} de {1}';
export const tasks = {
  start: 'Levantadas: {0} de {1}',
  label: 'Agrupadas: {0} de {1}',
  link: 'Enlaces creados: {0} de {1}',
} as const;
export const failedCount = ['{0} falló', '{0} fallaron'] as const;
export const unfinished = ['{0} pendiente', '{0} pendientes'] as const;
export const stop = 'Detener';

// What happened.
export const justNow = 'ahora';
// As Intl.RelativeTimeFormat says it, which a browser needs 10 ms to make.
export const minutesAgo = 'hace {0} min';
export const hoursAgo = 'hace {0} h';
export const daysAgo = 'hace {0} d';
// No-break spaces: a line that ends between number and unit is hard to read.
export const minutes = '{0}\u00a0min';
export const hours = '{0}\u00a0h';
export const openRow = 'Abrir {0}';
export const historyBegin = 'Los últimos 50 sucesos desde que abriste esta página';
export const historyTitle = 'Historial de {0}';
export const close = 'Cerrar';
export const copy = 'Copiar';
export const copied = 'Copiado';
export const notCopied = 'Está seleccionado: cópialo con el teclado.';

// How a test message ended.
export const accepted = 'Aceptado por el servidor a las {0}';
export const noAnswerYet = 'El servidor todavía no responde: no se sabe si el mensaje salió.';
export const typeNumber = 'Escribe solo dígitos, con el código de país.';
export const look = 'Mira en el teléfono si salió antes de repetirlo.';
export const tryAgain = 'Reinténtalo; si sigue igual, avisa a quien administra el servidor.';

// Names and groups.
export const group = 'Grupo';
export const allGroups = 'Todos los grupos';
export const noGroup = 'Sin grupo';
export const needAttention = ['{0} requiere atención', '{0} requieren atención'] as const;
export const connected = ['{0} conectada', '{0} conectadas'] as const;
export const sessionCount = ['{0} sesión', '{0} sesiones'] as const;
export const nameAndGroup = 'Nombre y grupo';
export const nameField = 'Nombre';
export const proxy = 'Proxy';
export const proxyHint = 'socks5://usuario:clave@host:1080';
export const saveNames = 'Guardar';

// While a numero is typed.
export const tooManyCharacters = 'No caben más de {0} caracteres: revisa el número.';
export const listed = 'Ya está en la lista. Levantarla de nuevo la interrumpe si está conectada.';

// The menu of a session.
export const moreActions = 'Más acciones de {0}';
export const sendLink = 'Enviar enlace';
export const unlink = 'Desvincular';
export const unlinkTitle = '¿Desvincular el WhatsApp de {0}?';
export const unlinkMessage =
  'Dejará de enviar y recibir, y habrá que vincular el teléfono de nuevo. Quítala también en el teléfono, en Dispositivos vinculados.';

// What a server with extensions tells of a session.
export const notOffered = 'El servidor ya no lo ofrece.';
export const since = 'Desde {0}';
export const aWhileAgo = 'hace poco';
export const lastSignal = 'Última señal: {0}';
export const newChats = 'Chats nuevos usados: {0} de {1}';
export const through = 'Sale por el proxy {0}';
export const linkOut = 'Enlace enviado, vence a las {0}';
export const linkOpened = 'Enlace abierto a las {0}';
export const earlier = 'Ver anteriores';
export const noneEarlier = 'No hay nada anterior.';
export const loadingPast = 'Cargando el historial del servidor…';
export const pastFailed = 'No se pudo cargar el historial del servidor: {0}.';
export const stability = [
  'Último día: {1}, {2} sin conexión',
  'Últimos {0} días: {1}, {2} sin conexión',
] as const;
export const drops = ['{0} caída', '{0} caídas'] as const;

// Linking with a code to type.
export const scan = 'Escanear';
export const type = 'Escribir un código';
export const pairingCode = 'Código: {0}';
export const copyCode = 'Copiar código';
export const timeLeft = 'Vence en {0}';
export const pairingSteps = [
  linkingSteps[0],
  linkingSteps[1],
  'Toca Vincular un dispositivo → Vincular con el número de teléfono',
  'Escribe este código',
] as const;

// The link for who has the phone.
export const linkTitle = 'Enlace para vincular {0}';
export const passkeyLinkTitle = 'Confirmar la llave de acceso de {0}';
export const linkAdvice = 'Envíalo a quien tiene el teléfono.';
export const passkeyLinkAdvice = 'Abre este enlace en una computadora, cerca del teléfono.';
export const creatingLink = 'Creando el enlace…';
export const linkFailed = 'No se pudo crear el enlace: {0}.';
export const linkOver = 'Este enlace ya no sirve.';
export const linkHidden = 'No se puede volver a mostrar. Crear otro lo anula.';
export const alreadyLinked = 'Ya está conectada.';
export const anotherLink = 'Crear otro';
export const revoke = 'Anular';

// What became of a test message.
export const acks = {
  server: 'Aceptado por WhatsApp',
  device: 'Entregado',
  read: 'Leído',
} as const;
export const ackedAt = '{0} a las {1}';
export const undelivered = 'No se entregó: {0}.';
export const rejected = 'WhatsApp lo rechazó';
