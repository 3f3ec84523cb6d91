export const TIME = new Intl.DateTimeFormat('es', { hour: '2-digit', minute: '2-digit' });

/**
 * @typedef {object} Face
 * @property {'good' | 'busy' | 'bad' | 'rest'} tone
 * @property {string} status
 * @property {string} hint - What to do or to expect.
 * @property {string[]} actions - What can be done with the phone now.
 */

/**
 * Returns what a phone shows. Pure.
 *
 * @param {import('./simulator.js').PhoneRecord} phone
 * @returns {Face}
 */
export function faceOf(phone) {
  const face = faceOfState(phone);
  const isUnread = phone.online && phone.messages.some(({ read }) => !read);
  return isUnread ? { ...face, actions: [...face.actions, 'read'] } : face;
}

function faceOfState(phone) {
  if (phone.state === 'closing') {
    return face('rest', 'Eliminando…', 'El servidor tarda en eliminar la sesión.');
  }
  if (phone.online) return phone.linked ? linked(phone) : unlinked(phone);
  const hint = phone.linked ? 'El panel verá la sesión como OPENING hasta que vuelva la línea.' : '';
  return face('bad', 'Sin línea', hint, 'recover-line', ...(phone.linked ? ['unlink'] : []));
}

function linked({ state, fault, stalled, reported, bannedUntil, restrictedUntil }) {
  if (bannedUntil !== null) {
    const hint = `WhatsApp pide esperar hasta las ${TIME.format(bannedUntil)}: la sesión volverá sola.`;
    return face('busy', 'Bloqueado por un rato', hint, 'unlink');
  }
  if (state === 'off') {
    const hint = 'Levanta la sesión en el panel: no hará falta un código.';
    return face('rest', 'Vinculado, sin sesión', hint, 'unlink');
  }
  if (state !== 'connected') {
    const stuck =
      fault === 'dead-keys'
        ? 'WhatsApp rechaza sus claves: levanta la sesión en el panel y escanea el código nuevo.'
        : 'La sesión no pasará de aquí: se quedó a medias.';
    const hint = stalled ? stuck : 'La sesión se está abriendo en el panel.';
    const tone = stalled ? 'busy' : 'rest';
    if (state !== 'linking') return face(tone, 'Conectando…', hint, 'unlink');
    return face(tone, 'Vinculando…', hint, ...(stalled ? ['unlink'] : []));
  }
  const busy = (status, hint) => face('busy', status, hint, 'lose-line', 'unlink');
  if (reported !== null) return busy(reported, 'WhatsApp informa de este estado hasta que llegue otro.');
  if (fault === 'zombie') {
    return busy(
      'Sin respuesta',
      'WhatsApp no contesta: el panel lo muestra en unos 10 minutos, o antes si el servidor se inicia con --probe 1.',
    );
  }
  if (restrictedUntil !== null) {
    return busy(
      'Restringido',
      `No puede escribir a números nuevos hasta las ${TIME.format(restrictedUntil)}.`,
    );
  }
  const hint = 'Aquí llegan los mensajes enviados a este número.';
  return { ...busy('Conectado', hint), tone: 'good' };
}

function unlinked({ state, code, passkey, fault, stalled, reported }) {
  if (passkey !== null) {
    const status = 'Pide la llave de acceso';
    if (passkey.code === null) {
      const hint = 'Confirma aquí, o en la página del enlace, como en una computadora junto al teléfono.';
      return face('busy', status, hint, 'passkey');
    }
    const hint = `Comprueba que el panel, o la página del enlace, muestra el código ${passkey.code}.`;
    return face('busy', status, hint);
  }
  const say = (tone, status, hint, ...actions) =>
    face(reported === null ? tone : 'busy', reported ?? status, hint, ...actions);
  if (code !== null) {
    const hint =
      fault === 'outdated'
        ? 'WhatsApp no deja vincular: en menos de tres minutos no habrá más códigos.'
        : 'El panel muestra un código para este teléfono.';
    return say('busy', 'Espera que lo escaneen', hint, 'scan', 'pair');
  }
  const rest = (tone, hint, ...actions) => say(tone, 'Sin vincular', hint, ...actions);
  if (state === 'code') return rest('busy', 'El código del panel venció y no llega otro.', 'pair');
  if (state !== 'starting') return rest('bad', 'Levanta la sesión en el panel para ver un código.');
  if (stalled) return rest('busy', 'La sesión no pasará de aquí: ningún código llega al panel.');
  return rest('rest', 'El código está por llegar al panel.');
}

function face(tone, status, hint, ...actions) {
  return { tone, status, hint, actions };
}
