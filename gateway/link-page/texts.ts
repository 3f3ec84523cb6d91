/** What the page says beside its fixed texts, which are in index.html, and the ends of a link, in sentences.ts. */

export const opening = 'Abriendo el enlace…';
export const waits = {
  preparing: 'Preparando el código…',
  delayed: 'WhatsApp no responde todavía. Se sigue intentando…',
  linking: 'Vinculando el teléfono… No cierres WhatsApp en él.',
};
export const title = (numero: string) => `Vincular ${numero}`;
export const linkedTitle = (numero: string) => `Listo: ${numero}`;
export const qrCode = (numero: string) => `Código QR para vincular ${numero}`;
export const undrawable = 'El código que envió el servidor no se puede dibujar.';
export const scanReady = 'El código QR está listo para escanear.';
export const begin = 'Cuando tengas el teléfono a mano, genera el código.';
export const expired = 'El código venció.';
export const generate = 'Generar el código';
export const another = 'Generar otro';
export const retry = 'Reintentar';
export const generating = 'Generando…';
export const failed = (reason: string) => `No se pudo generar el código. ${reason}`;
export const notPairable =
  'El teléfono no se puede vincular en este momento: espera unos segundos y vuelve a intentarlo.';
const near =
  'Ten el teléfono cerca, con WhatsApp abierto, y enciende Bluetooth en los dos, o usa una computadora que ya tenga la llave. WhatsApp espera diez minutos.';
export const passkey = `La cuenta pide una llave de acceso. WhatsApp Web se abre un momento en otra pestaña para confirmarla. ${near}`;
export const refused = 'Hay que confirmar otra vez. Elige la llave de acceso de la cuenta de este teléfono.';
export const confirm = 'Confirmar con la llave de acceso';
export const confirming = 'Confirma en la pestaña de WhatsApp Web que se abrió, y vuelve a esta página.';
export const waiting = 'Esperando…';
export const again = 'Volver a intentar';
export const missing = `La cuenta pide una llave de acceso. Para confirmarla hace falta la extensión WhatsApp Browser Extension en este navegador: instálala y vuelve a esta página. ${near}`;
export const install = (store: string) => `Instalar la extensión desde ${store}`;
export const elsewhere = `La cuenta pide una llave de acceso, que aquí no se puede confirmar. Abre este mismo enlace en una computadora, en Chrome, Edge o Firefox: la página dice qué falta. ${near}`;
export const insecure =
  'La cuenta pide una llave de acceso, que solo se puede confirmar en una dirección que empieza por https. Pide a quien administra el servidor que la use en los enlaces.';
export const compare =
  'Compara este código con el que muestra WhatsApp en el teléfono. Si es otro, no sigas.';
export const same = 'Es el mismo código';
/** @param error that of the extension or of the browser; empty where there is none */
export const notSigned = (error: string) => {
  if (error.includes('NotAllowedError')) return 'Se canceló, o se acabó el tiempo.';
  return error === '' ? 'WhatsApp Web no la dio.' : `WhatsApp Web no la dio: ${error.replace(/\.$/, '')}.`;
};
export const notConfirmed = (reason: string) => `No se pudo confirmar la llave de acceso. ${reason}`;
export const noPasskeyStep = 'La sesión ya está en otro paso: espera unos segundos y vuelve a intentarlo.';
export const copied = 'Copiado';
export const copyAgain = 'Copiar el código';
export const notCopied = 'Está seleccionado: cópialo a mano.';
/** Letter by letter, for a screen reader. */
export const spelled = (code: string) =>
  `Tu código: ${[...code.slice(0, 4)].join(' ')}, ${[...code.slice(4)].join(' ')}`;
export const lost = 'Se perdió la conexión. Se está recuperando…';
export const unanswered = 'El servidor no responde. Se sigue intentando…';
export const noToken = 'Al enlace le falta una parte. Ábrelo completo, como te lo enviaron.';
export const forgotten =
  'Este enlace ya no está abierto. Si WhatsApp muestra el dispositivo vinculado, ya terminaste. Si no, pide otro enlace.';
export const displaced = 'Este enlace se abrió en otra página, y esta dejó de usarse.';
export const goOnHere = 'Seguir aquí';
export const already = 'Este teléfono ya está vinculado: no hace falta nada más.';
export const close = 'Ya puedes cerrar esta página.';

/** Such as '2:41'. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export function linkLeft(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes <= 1) return 'A este enlace le queda menos de un minuto.';
  return `Este enlace sirve ${minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`} más.`;
}
