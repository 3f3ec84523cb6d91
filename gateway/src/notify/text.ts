import { EVENTS, type Item, type Notification, type NotifiedEvent } from './notification.ts';

/** Most numbers that a sentence names. */
const MOST_NAMES = 5;
/** In milliseconds. */
const MINUTE = 60_000;

/** What is said of one number, and of many. */
const VERBS: Record<NotifiedEvent, readonly [one: string, many: string]> = {
  away: ['está caída', 'se cayeron'],
  unlinked: ['necesita que la vinculen de nuevo', 'necesitan que las vinculen de nuevo'],
  restricted: ['tiene restricciones de WhatsApp', 'tienen restricciones de WhatsApp'],
  blocked: ['necesita que alguien la atienda', 'necesitan que alguien las atienda'],
  outdated: ['necesita que actualicen el servidor', 'necesitan que actualicen el servidor'],
  back: ['vuelve a funcionar', 'vuelven a funcionar'],
};

/**
 * Returns a notification in words: a line for each event. It has no hours, since nobody knows the time zone of those who
 * read it.
 */
export function textOf(notification: Notification, now: number): string {
  return EVENTS.flatMap((event) => sentence(event, notification, now) ?? []).join('\n');
}

function sentence(
  event: NotifiedEvent,
  { total, counts, items }: Notification,
  now: number,
): string | undefined {
  const count = counts[event];
  if (count === undefined) return undefined;
  const [one, many] = VERBS[event];
  const named = items.filter((item) => item.event === event);
  const [first] = named;
  if (count === 1 && first) {
    const { since, reason, until = 0 } = first;
    const when = event === 'away' && now - since >= MINUTE ? ` desde hace ${lasting(now - since)}` : '';
    const end = until > now ? `. Termina dentro de ${lasting(until - now)}` : '';
    const why = event !== 'back' && reason ? `. ${reason.replace(/\.$/, '')}${end}` : '';
    return `${nameOf(first)} ${one}${when}${why}.`;
  }
  const names = named.slice(0, MOST_NAMES).map(nameOf);
  const others = count - names.length;
  const last = others > 0 ? `${others} más` : (names.pop() ?? '');
  const list = names.length > 0 ? `${names.join(', ')} y ${last}` : last;
  return `${count} de ${total} ${many}: ${list}.`;
}

/** What chats take for mentions, links or code, and what is written instead: anybody may have named a number. */
const MARKUP = /[<>@`]|\](?=\()|:(?=\/\/)/g;
const PLAIN: Readonly<Record<string, string>> = {
  '<': '‹',
  '>': '›',
  '@': '＠',
  '`': '´',
  ']': '] ',
  ':': '：',
};

function nameOf({ numero, name }: Item): string {
  if (name === undefined) return numero;
  return `${name.replace(MARKUP, (mark) => PLAIN[mark] ?? mark)} (${numero})`;
}

/** Returns how long something lasts, in words. */
function lasting(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE));
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} días`;
}
