/*
 * Limits on what another server may send: a broken or hostile one must neither delay other sessions nor fill the
 * memory.
 */

/** Sessions of one server that are listed here. */
export const MOST_SESSIONS = 2_000;

/** Messages and bytes of a feed in a second. */
export const FEED = { messages: 3_000, bytes: 4 * 1_048_576 };

/** How long a feed that exceeds this stays closed, in milliseconds. */
export const FLOOD_PAUSE = 30_000;

/** Bytes that a server may leave unread of the answers to its pings. */
export const MOST_UNREAD = 65_536;

/** Changes of one session in a second that the feed may report: the list shows the others. */
export const CHANGES = 20;

/** Bytes of an answer: of a list, and of any other. */
export const LONGEST = { list: 8 * 1_048_576, other: 262_144 };

/** Items of a list, and parts of any other answer or event: longer ones are dropped whole. */
export const LONGEST_LIST = 20_000;

/** Levels of nested arrays and objects: deeper ones take seconds to parse. */
const DEEPEST = 32;

/** Returns which limit a JSON text exceeds, without parsing it; undefined if none. */
export function excessIn(text: string): string | undefined {
  let depth = 0;
  let items = 1;
  for (let place = 0; place < text.length; place += 1) {
    switch (text[place]) {
      case '"':
        place = endOfString(text, place);
        break;
      case '[':
      case '{':
        depth += 1;
        if (depth > DEEPEST) return 'nested too deeply';
        break;
      case ']':
      case '}':
        depth -= 1;
        break;
      case ',':
        if (depth === 1) items += 1;
    }
  }
  return items > LONGEST_LIST ? `${items} sessions` : undefined;
}

/** Returns the end of the string that begins at an index. */
function endOfString(text: string, begin: number): number {
  let place = begin + 1;
  while (place < text.length && text[place] !== '"') place += text[place] === '\\' ? 2 : 1;
  return place;
}

/** Characters of the name of a session, or of a word for its state. */
export const LONGEST_NAME = 256;

/** Counts what arrives in a second. */
export class Pace {
  readonly #most: number;
  #begun = Number.NEGATIVE_INFINITY;
  #count = 0;

  /** @param most the most that may arrive */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts, and returns whether the limit is kept. */
  takes(count = 1): boolean {
    const now = performance.now();
    if (now - this.#begun >= 1_000) {
      this.#begun = now;
      this.#count = 0;
    }
    this.#count += count;
    return this.#count <= this.#most;
  }
}
