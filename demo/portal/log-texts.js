/** A code is longer than anybody reads. */
const MAX_STRING = 48;

/** Returns an event in a few words. */
export function summaryText(type, detail) {
  switch (type) {
    case 'wo-sessions':
      return detail.sessions.length === 1 ? '1 sesión' : `${detail.sessions.length} sesiones`;
    case 'wo-session-change':
      return `${detail.numero}: ${detail.previousState ?? '(nueva)'} → ${detail.state ?? '(eliminada)'}`;
    case 'wo-connection-change':
      return detail.connected ? 'Con el servidor' : 'Sin el servidor';
    case 'wo-attention':
      return `${detail.act} de ${detail.total} requieren atención; se cayeron: ${detail.dropped}`;
    case 'wo-error':
      return `${detail.action}: ${detail.error.message}`;
    default:
      return '';
  }
}

/** Returns the whole detail, for developers. */
export function detailText(detail) {
  return JSON.stringify(detail, readable, 2);
}

function readable(_key, value) {
  // An error's own fields are not enumerable; those of its class may be.
  if (value instanceof Error) return { name: value.name, message: value.message, ...value };
  if (typeof value === 'string' && value.length > MAX_STRING) return `${value.slice(0, MAX_STRING)}…`;
  return value;
}
