import { moment } from '../sessions/reasons.ts';
import { EVENTS, type Item, type Notification, type NotifiedEvent } from './notification.ts';

/** Most numbers that a sentence names. */
const MOST_NAMES = 5;

/** What is said of one number, and of many. */
const VERBS: Record<NotifiedEvent, readonly [one: string, many: string]> = {
  away: ['está caída', 'se cayeron'],
  unlinked: ['necesita que la vinculen de nuevo', 'necesitan que las vinculen de nuevo'],
  restricted: ['tiene restricciones de WhatsApp', 'tienen restricciones de WhatsApp'],
  blocked: ['necesita que alguien la atienda', 'necesitan que alguien las atienda'],
  outdated: ['necesita que actualicen el servidor', 'necesitan que actualicen el servidor'],
  back: ['vuelve a funcionar', 'vuelven a funcionar'],
};

/** Returns a notification in words: a line for each event, and one for each link that is still valid. */
export function textOf({ total, counts, items }: Notification, now: number): string {
  const sentences = EVENTS.flatMap((event) => {
    const count = counts[event];
    return count === undefined
      ? []
      : sentence(
          event,
          count,
          total,
          items.filter((item) => item.event === event),
        );
  });
  const links = items.flatMap((item) => {
    const { link } = item;
    if (!link || link.expires <= now) return [];
    return `Para vincular ${nameOf(item)}, hasta ${moment(link.expires)}: ${link.url}`;
  });
  return [...sentences, ...links].join('\n');
}

function sentence(event: NotifiedEvent, count: number, total: number, items: readonly Item[]): string {
  const [one, many] = VERBS[event];
  const [first] = items;
  if (count === 1 && first) {
    const when = event === 'away' ? ` desde ${moment(first.since)}` : '';
    const why = event !== 'back' && first.reason ? `. ${first.reason}` : '';
    return `${nameOf(first)} ${one}${when}${why}.`;
  }
  const names = items.slice(0, MOST_NAMES).map(nameOf);
  const others = count - names.length;
  const last = others > 0 ? `${others} más` : (names.pop() ?? '');
  const list = names.length > 0 ? `${names.join(', ')} y ${last}` : last;
  return `${count} de ${total} ${many}: ${list}.`;
}

/** What chats take for mentions, links or code, and what is written instead: anybody may have named a number. */
const MARKUP = /[<>@`]|\](?=\()/g;
const PLAIN: Readonly<Record<string, string>> = { '<': '‹', '>': '›', '@': '＠', '`': '´', ']': '] ' };

function nameOf({ numero, name }: Item): string {
  if (name === undefined) return numero;
  return `${name.replace(MARKUP, (mark) => PLAIN[mark] ?? mark)} (${numero})`;
}
