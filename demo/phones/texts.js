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
  found: (count) => (count === 1 ? '1 teléfono' : `${count} teléfonos`),
  lost: 'Sin conexión con los teléfonos. Volverán por sí solos.',

  scan: 'Escanear el código',
  scanOld: 'Escanear una foto vieja del código',
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

  linkedOff: 'Vinculado, sin sesión',
  closing: 'Eliminando…',

  hintStalledStart: 'La sesión no pasará de aquí: ningún código llega al panel',
  hintStalledOpening: 'La sesión no pasará de aquí: se ha quedado a medias',
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
    'slow-delete': 'Tarda en eliminarse',
    'failing-sends': 'Falla al enviar',
  },
  reports: 'WhatsApp informa de…',
  states: { HIBERNATING: 'HIBERNATING (desconocido)' },
  report: 'Informar',

  messages: (numero) => `Mensajes recibidos en ${numero}`,
  from: (numero) => `De ${numero}`,
  time: (at) => TIME.format(at),
  dateAndTime: (at) => DATE_AND_TIME.format(at),
  heard: (numero, text) => `Mensaje nuevo en ${numero}: ${text}`,
  heardMany: (count) => `${count} mensajes nuevos en los teléfonos simulados`,
};
