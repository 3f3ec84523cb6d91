import type { Entry } from './session/history.ts';
import type { Stuck } from './session/status.ts';
import { STATES } from './wire.ts';

/** What happened to a session. After a colon comes the reason or the number of the entry, or its state. */
const HAPPENED: Readonly<Record<Entry['what'], string>> = {
  qr: 'Código nuevo',
  authenticated: 'Un teléfono escaneó el código',
  ready: 'Conectada y lista para usarse',
  disconnected: 'Se desconectó',
  qr_timeout: 'Nadie escaneó el código a tiempo',
  change_state: 'Nuevo estado:',
  listed: 'Según la lista del servidor:',
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
};

/** How a test message ended that was not accepted. */
const NOT_ACCEPTED = {
  unsent: 'No se envió',
  refused: 'El servidor no aceptó',
  unanswered: 'El servidor no confirmó',
};

/** Every sentence that the panel shows; those of the spec to the letter. */
export const texts = {
  // Spec §1 and §2.
  title: 'Administrador de Whatsapp Operadores',
  add: 'Agregar una nueva sesión',
  sessions: 'Sesiones activas',
  noSessions: 'No hay sesiones activas',
  testMessage: 'Mensaje de Prueba',
  number: 'Número',
  send: 'Enviar Mensaje',
  start: 'Levantar Sesión',
  delete: 'Eliminar Sesión',
  addTitle: 'Número de teléfono',
  addMessage: 'Ingresa el número de teléfono (sin espacios ni guiones)',
  addConfirm: 'Agregar',
  cancel: 'Cancelar',

  // Spec §5.
  deleteTitle: (numero: string) => `¿Estas seguro de eliminar la sesión de ${numero}?`,
  deleteMessage: 'Interrumpirás la conexión y deberás escanear nuevamente el QR',
  deleteConfirm: 'Eliminar',

  // Before sessions are started that are connected.
  restartMessage: (connected: number, total: number) =>
    connected === 1
      ? `${total === 1 ? 'Está' : '1 está'} conectada. Levantarla de nuevo la interrumpe.`
      : `${connected} están conectadas. Levantarlas de nuevo las interrumpe.`,

  // Spec §8.
  started: (numero: string) => `La sesión de ${numero} comenzará a levantarse`,
  deleted: (numero: string) => `La sesión de ${numero} ha sido eliminada`,
  authenticated: (numero: string) => `Sesión de ${numero} autenticada y lista para usarse`,
  networkError: 'Network Error',
  aborted: 'Request aborted',
  status: (code: number, reason?: string) =>
    `Request failed with status code ${code}${reason === undefined ? '' : `: ${reason}`}`,

  // Where the spec is silent.
  loading: 'Cargando las sesiones',
  listLate: 'El servidor todavía no responde.',
  listFailed: 'No se pudo cargar la lista de sesiones.',
  retry: 'Reintentar',
  firstSteps: 'Agrega un número y escanea su código con el teléfono.',
  addFirst: 'Agregar la primera sesión',
  sent: (number: string) => `Mensaje enviado a ${number}`,
  invalidNumber: 'El número de destino no es válido',
  impossibleNumero: (numero: string) => `El número '${numero}' no se puede pedir al servidor`,
  signIn: 'debes iniciar sesión de nuevo',
  noToken: 'La página no pudo dar el permiso de acceso al servidor',
  page: 'El servidor respondió con una página en lugar de datos. Es posible que debas iniciar sesión de nuevo.',
  notJson: 'El servidor respondió con datos que no se entienden',
  notAList: 'El servidor no respondió con una lista de sesiones',
  qrCode: (numero: string) => `Código QR para vincular ${numero}`,
  undrawable: 'El código QR que envió el servidor no se puede dibujar',
  waiting: 'Esperando al servidor',
  notices: 'Notificaciones',
  moreNotices: (count: number) => `y ${count} más`,
  noticeTime: 'Tiempo hasta que se cierra',
  defaultProvider: 'WhatsApp Operadores',
  footer: (provider: string, year: number) => `© ${year} ${provider}`,
  announcement: (numero: string, state: string, dropped: boolean) =>
    `${dropped ? `Se cayó ${numero}` : numero}: ${state}`,
  announcements: (count: number, dropped: number) =>
    `${count} sesiones cambiaron de estado${dropped === 0 ? '' : `; se cayeron: ${dropped}`}`,
  announcedOverdue: (count: number) => `${count} sesiones llevan demasiado tiempo esperando`,
  away: (time: string) => `Sin noticias del servidor desde las ${time}`,
  allowNotifications: 'Avisarme en el escritorio',
  crashed: 'El panel tuvo un error inesperado y dejó de mostrarse.',

  // What the states mean and ask for (field notes §2).
  states: new Map<string, string>([
    [STATES.connected, 'Conectada: envía y recibe mensajes.'],
    [STATES.disconnected, 'Está desconectada de WhatsApp. Levántala para volver a usarla.'],
    [STATES.closing, 'El servidor la está eliminando.'],
    ['OPENING', 'Se está conectando con WhatsApp; suele pasar sola.'],
    ['PAIRING', 'El teléfono se está vinculando; suele tardar menos de un minuto.'],
    ['TIMEOUT', 'WhatsApp no responde; el servidor lo sigue intentando.'],
    ['CONFLICT', 'El número está abierto en otro WhatsApp Web. Ciérralo allí o levanta la sesión aquí.'],
    ['DEPRECATED_VERSION', 'WhatsApp ya no acepta la versión del servidor: pide que la actualicen.'],
    ['PROXYBLOCK', 'La red del servidor bloquea WhatsApp: avisa a quien la administra.'],
    ['SMB_TOS_BLOCK', 'WhatsApp bloqueó esta cuenta de empresa. Mira el aviso en el teléfono.'],
    ['TOS_BLOCK', 'WhatsApp bloqueó esta cuenta. Mira el aviso en el teléfono.'],
    ['UNLAUNCHED', 'El servidor no ha abierto WhatsApp para esta sesión. Levántala.'],
    ['UNPAIRED', 'El teléfono desvinculó este dispositivo. Levanta la sesión y escanea el código.'],
    ['UNPAIRED_IDLE', 'Nadie escaneó el código a tiempo. Levanta la sesión para generar otro.'],
  ]),
  unknownState: 'El panel no conoce este estado: consulta a quien administra el servidor si no cambia.',
  codeDue: 'El servidor está preparando el código.',
  scan: 'Escanéalo con el teléfono de este número.',
  linking: 'El teléfono se está vinculando.',
  unscanned: 'Nadie escaneó el código a tiempo. Levanta la sesión para generar otro.',
  codeExpired: 'El código venció y el servidor no ha enviado otro.',
  stuck: {
    'no-code': 'El servidor no ha enviado el código. Puede estar saturado o no poder abrir WhatsApp.',
    'not-ready':
      'El teléfono escaneó el código, pero la sesión no termina de conectarse. Abre WhatsApp en él.',
    passing: 'Sigue así desde hace más de tres minutos.',
    'not-deleted': 'El servidor no responde a la solicitud de eliminarla.',
  } satisfies Record<Stuck, string>,
  startUnanswered:
    'El servidor todavía no responde: la sesión puede levantarse o no. Si sigue igual, avisa a quien lo administra.',
  /** What mends a session, on a button. */
  remedies: {
    start: 'Levantar',
    again: 'Levantar de nuevo',
    retry: 'Reintentar',
    delete: 'Reintentar',
    code: 'Ver código',
    newCode: 'Generar otro',
  },
  droppedOn: (date: string) => `Se cayó el ${date}`,
  dropped: (time: string) => `Se cayó a las ${time}`,
  failed: (action: 'up' | 'delete', numero: string, reason: string) =>
    `No se pudo ${action === 'up' ? 'levantar' : 'eliminar'} la sesión de ${numero}: ${reason}. Vuelve a intentarlo; si sigue igual, avisa a quien administra el servidor.`,

  // The code at full size.
  enlarge: (numero: string) => `Ampliar el código QR de ${numero}`,
  codeTitle: (numero: string) => `Vincular ${numero}`,
  codeCovered: 'Código vencido',
  showAnyway: 'Mostrar de todos modos',
  copyImage: 'Copiar imagen',
  imageCopied: 'Imagen copiada. Sirve hasta que el código venza.',
  imageNotCopied: 'El navegador no permitió copiar la imagen. Puedes descargarla.',
  downloadImage: 'Descargar PNG',
  imageName: (numero: string) => `codigo-qr-${numero}.png`,
  linkingSteps: (numero: string) => [
    `Abre WhatsApp en el teléfono de ${numero}`,
    'Toca ⋮ (Android) o Configuración (iPhone) → Dispositivos vinculados',
    'Toca Vincular un dispositivo',
    'Apunta la cámara a este código',
  ],
  passkeyTitle: 'Si el teléfono pide una llave de acceso',
  passkey:
    'WhatsApp la exige a algunas cuentas, y la vinculación por código se detiene a medias. Confírmala en el teléfono. Si aun así la sesión no se conecta, este servidor no puede vincular el número: consulta a quien lo administra.',
  notListed: 'Esta sesión ya no está en la lista.',

  // Finding one among many.
  search: 'Buscar',
  searchHint: 'Número o estado',
  /** The words before and after the number of a counter. */
  groups: {
    ok: () => ['', 'conectadas'],
    waiting: () => ['En espera', ''],
    attention: (count: number) => [count === 1 ? 'Requiere atención' : 'Requieren atención', ''],
    dropped: (count: number) => [count === 1 ? 'Se cayó' : 'Se cayeron', '· Ver'],
  },
  of: (count: number, total: number) => `${count} de ${total}`,
  list: 'Lista',
  tools: 'Buscar y ordenar',
  order: 'Orden',
  serverOrder: 'Como el servidor',
  attentionFirst: 'Primero lo que requiere atención',
  found: (count: number, total: number) => `${count} de ${total} sesiones`,
  noMatch: 'Ninguna sesión coincide con lo que buscas.',
  showAll: 'Mostrar todas',

  // Many at once.
  select: 'Seleccionar',
  selectOne: (numero: string) => `Seleccionar ${numero}`,
  selectRestartable: (count: number) => `Seleccionar las que necesitan levantarse (${count})`,
  selectVisible: 'Seleccionar las visibles',
  unselect: 'Quitar selección',
  selected: (count: number, unseen: number) =>
    `${count} ${count === 1 ? 'seleccionada' : 'seleccionadas'}${unseen === 0 ? '' : `, ${unseen} fuera del filtro`}`,
  startSelected: (count: number) => `Levantar (${count})`,
  starting: (done: number, total: number) => `Levantando ${done} de ${total}`,
  startingEnded: (started: number, failed: number, asked: number, left: number) =>
    [
      `Se levantará${started === 1 ? '' : 'n'} ${started}`,
      failed && (failed === 1 ? 'falló 1' : `fallaron ${failed}`),
      asked && `sin respuesta todavía: ${asked}`,
      left && `sin empezar: ${left}`,
    ]
      .filter(Boolean)
      .join('; '),
  unanswered: 'sin respuesta todavía',
  results: 'Resultado de cada sesión',
  stop: 'Detener',
  retryFailed: (count: number) =>
    count === 1 ? 'Reintentar la que falló' : `Reintentar las ${count} que fallaron`,

  // What happened.
  now: 'ahora',
  open: (numero: string) => `Abrir ${numero}`,
  historyBegin: 'Desde que se abrió esta página (50 como máximo)',
  historyTitle: (numero: string) => `Historial de ${numero}`,
  close: 'Cerrar',
  copy: 'Copiar',
  copied: 'Copiado',
  notCopied: 'Está seleccionado: cópialo con el teclado.',
  happened({ what, state, detail }: Entry): string {
    const text = HAPPENED[what];
    return text.endsWith(':') ? `${text} ${detail ?? state}` : text;
  },

  // How a test message ended.
  accepted: (time: string) => `Aceptado por el servidor a las ${time}`,
  noAnswerYet: 'El servidor todavía no responde: el mensaje puede salir o no.',
  notAccepted: (outcome: keyof typeof NOT_ACCEPTED, to: string, reason: string, next: string) =>
    `${NOT_ACCEPTED[outcome]} el mensaje${to && ` para ${to}`}: ${reason}. ${next}`,
  next: {
    number: 'Escribe el número en cifras, con el código de país.',
    correct: 'Corrígelo y vuelve a enviarlo.',
    look: 'Mira en el teléfono si salió antes de repetirlo.',
    start: 'Levanta la sesión y vuelve a enviarlo.',
    retry: 'Vuelve a intentarlo; si sigue igual, avisa a quien administra el servidor.',
  },

  // Keys that work while the focus is in the panel.
  shortcutsTitle: 'Atajos de teclado',
  shortcuts: [
    ['/', 'Buscar'],
    ['n', 'Agregar una nueva sesión'],
    ['↑ ↓', 'Ir a otra fila de la lista'],
    ['Enter', 'Abrir la fila'],
    ['Esc', 'Cerrar la fila'],
    ['?', 'Ver estos atajos'],
  ],

  // While a numero is typed.
  cut: (most: number) => `No caben más de ${most} caracteres: revisa el número.`,
  hints: {
    listed: 'Ya está en la lista: se levantará de nuevo, lo que la interrumpe si está conectada.',
    listedAs: (numero: string) => `Ya está en la lista como ${numero}.`,
    signs: 'Tiene espacios o signos: el servidor puede no entenderlo.',
    mexico: 'Los celulares de México suelen llevar en WhatsApp un 1 después del 52.',
    argentina: 'Los celulares de Argentina se escriben 54 9, área y número, sin 0 ni 15.',
  },
};
