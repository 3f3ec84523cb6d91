/*
 * How much is accepted from a server that somebody else runs: a broken one, or one that means harm, must not hold up the
 * sessions of others, nor fill the memory.
 */

/** Sessions of one server that are listed here. */
export const MOST_SESSIONS = 2_000;

/** Of a feed, in a second: messages, and bytes. */
export const FEED = { messages: 3_000, bytes: 4 * 1_048_576 };

/** How long a feed of more stays closed, in milliseconds. */
export const FLOOD_PAUSE = 30_000;

/** Bytes that a server may leave unread of the answers to its pings. */
export const MOST_UNREAD = 65_536;

/** Changes of one session in a second, of which the feed may tell: the list tells the others. */
export const CHANGES = 20;

/** Bytes of an answer: of a list, and of any other. */
export const LONGEST = { list: 8 * 1_048_576, other: 262_144 };

/** Items of a list, and parts of any other answer or event: of more, nothing is taken. */
export const LONGEST_LIST = 20_000;

/** Levels of arrays and objects in each other: what is nested deeper takes seconds to read. */
const DEEPEST = 32;

/** Returns what is too much in a JSON text, so that it is never parsed; undefined if nothing is. */
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

/** Returns where the string ends that begins at a place. */
function endOfString(text: string, begin: number): number {
  let place = begin + 1;
  while (place < text.length && text[place] !== '"') place += text[place] === '\\' ? 2 : 1;
  return place;
}

/** Characters of the name of a session, or of a word for its state. */
export const LONGEST_NAME = 256;

/** Counts what comes in a second. */
export class Pace {
  readonly #most: number;
  #begun = Number.NEGATIVE_INFINITY;
  #count = 0;

  /** @param most how much may come */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts, and returns whether it is not too much. */
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

/** Whether a feed tells no more than it may. */
export class FeedPace {
  readonly #messages = new Pace(FEED.messages);
  readonly #bytes = new Pace(FEED.bytes);

  takes(bytes: number): boolean {
    const isFew = this.#messages.takes();
    return this.#bytes.takes(bytes) && isFew;
  }
}
