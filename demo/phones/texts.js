const TIME = new Intl.DateTimeFormat('es', { hour: '2-digit', minute: '2-digit' });
const DATE_AND_TIME = new Intl.DateTimeFormat('es', { dateStyle: 'long', timeStyle: 'medium' });

/** All texts of the drawer, except for refusals, which come from the gateway. */
export const texts = {
  title: 'Teléfonos simulados',
  skip: 'Ir a los teléfonos simulados',
  intro: 'Prueba el panel sin cuentas reales: cada sesión tiene aquí su teléfono.',
  filter: 'Buscar número',
  none: 'Todavía no hay teléfonos. Agrega una sesión en el panel.',
  noneFound: 'Ningún teléfono tiene ese número.',
  asking: (count, all) => `Aquí hay ${count} de ${all}: los que piden algo. Busca los demás por su número.`,
  firstOf: (count, found) => `Los primeros ${count} de ${found} teléfonos`,
  found: (count) => (count === 1 ? '1 teléfono' : `${count} teléfonos`),
  lost: 'Sin conexión con los teléfonos. Volverán por sí solos.',

  scan: 'Escanear el código',
  scanOld: 'Escanear una foto vieja del código',
  typeCode: 'Escribir código',
  codeField: 'Código de ocho caracteres',
  link: 'Vincular',
  read: 'Leer',
  unlink: 'Desvincular',
  loseLine: 'Cortar la línea',
  recoverLine: 'Recuperar la línea',
  failed: 'No se pudo hablar con el teléfono. Inténtalo de nuevo.',

  unlinked: 'Sin vincular',
  linking: 'Vinculando…',
  connecting: 'Conectando…',
  connected: 'Conectado',
  noLine: 'Sin línea',

  hintCode: 'El panel muestra un código para este teléfono',
  hintOff: 'Levanta la sesión en el panel para ver un código',
  hintStarting: 'El código está por llegar al panel',
  hintLinking: 'La sesión se está abriendo en el panel',
  hintConnected: 'Aquí llegan los mensajes enviados a este número',
  hintNoLine: 'El panel verá la sesión como OPENING hasta que vuelva la línea',

  banned: 'Bloqueado por un rato',
  hintBanned: (until) => `WhatsApp pide esperar hasta las ${TIME.format(until)}: la sesión volverá sola`,

  restricted: 'Restringido',
  hintRestricted: (until) => `No puede escribir a números nuevos hasta las ${TIME.format(until)}`,

  silent: 'Sin respuesta',
  hintSilent:
    'WhatsApp no contesta: el panel lo muestra en unos 10 minutos, o antes si el servidor se inicia con --probe 1',

  passkey: 'Pide la llave de acceso',
  signPasskey: 'Confirmar con la llave de acceso',
  hintSign: 'Confirma aquí, o en la página del enlace, como en una computadora junto al teléfono',
  hintCompare: (code) => `Comprueba que el panel, o la página del enlace, muestra el código ${code}`,

  linkedOff: 'Vinculado, sin sesión',
  closing: 'Eliminando…',

  hintStalledStart: 'La sesión no pasará de aquí: ningún código llega al panel',
  hintStalledOpening: 'La sesión no pasará de aquí: se ha quedado a medias',
  hintDeadKeys: 'WhatsApp rechaza sus claves: levanta la sesión en el panel y escanea el código nuevo',
  hintOutdated: 'WhatsApp no deja vincular: en menos de tres minutos no habrá más códigos',
  hintStaleCode: 'El código del panel venció y no llega otro',
  hintLinkedOff: 'Levanta la sesión en el panel: no hará falta un código',
  hintClosing: 'El servidor tarda en eliminar la sesión',
  hintReported: 'WhatsApp informa de este estado hasta que llegue otro',

  summary: 'Contratiempos',
  summaryOf: (fault) => `Contratiempo: ${fault[0].toLowerCase()}${fault.slice(1)}`,
  fault: 'Contratiempo',
  noFault: 'Ninguno',
  faults: {
    stuck: 'Se queda a medias tras escanear',
    'no-code': 'No da código',
    refuses: 'Se niega a levantarse',
    'stale-code': 'El código deja de renovarse',
    outdated: 'No se deja vincular',
    'dead-keys': 'Sus claves dejan de valer',
    'slow-delete': 'Tarda en eliminarse',
    'failing-sends': 'Falla al enviar',
    restricted: 'No abre chats nuevos',
    zombie: 'Se queda sin respuesta',
  },
  reports: 'WhatsApp informa de…',
  states: { HIBERNATING: 'HIBERNATING (desconocido)' },
  report: 'Informar',
  ends: 'La sesión se cierra porque…',
  endings: {
    'device-removed': 'se desvinculó en el teléfono',
    'logged-out': 'WhatsApp la cerró',
    replaced: 'se abrió en otra computadora',
    restricted: 'WhatsApp restringió la cuenta',
    banned: 'WhatsApp pide esperar 5 minutos',
    passkey: 'la cuenta pide una llave de acceso',
    'other-number': 'se escaneó con otro teléfono',
  },
  logOut: 'Cerrar la sesión',

  scanPasskey: 'Escanear con una cuenta que pide llave de acceso',

  messages: (numero) => `Mensajes recibidos en ${numero}`,
  isRead: 'Leído',
  from: (numero) => `De ${numero}`,
  time: (at) => TIME.format(at),
  dateAndTime: (at) => DATE_AND_TIME.format(at),
  heard: (numero, text) => `Mensaje nuevo en ${numero}: ${text}`,
  heardMany: (count) => `${count} mensajes nuevos en los teléfonos simulados`,
};
