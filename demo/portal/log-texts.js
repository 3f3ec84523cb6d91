/** A code's text is longer than anybody reads. */
const MAX_STRING = 48;

/** An event in a few words. */
export function summaryText(type, detail) {
  switch (type) {
    case 'wo-sessions':
      return detail.sessions.length === 1 ? '1 sesión' : `${detail.sessions.length} sesiones`;
    case 'wo-session-change':
      return `${detail.numero}: ${detail.previousState ?? '(nueva)'} → ${detail.state ?? '(eliminada)'}`;
    case 'wo-connection-change':
      return detail.connected ? 'Con el servidor' : 'Sin el servidor';
    case 'wo-error':
      return `${detail.action}: ${detail.error.message}`;
    default:
      return '';
  }
}

/** The whole detail, as a developer wants to see it. */
export function detailText(detail) {
  return JSON.stringify(detail, readable, 2);
}

function readable(_key, value) {
  // The fields of an error are not enumerable, but those of its class are.
  if (value instanceof Error) return { name: value.name, message: value.message, ...value };
  if (typeof value === 'string' && value.length > MAX_STRING) return `${value.slice(0, MAX_STRING)}…`;
  return value;
}
