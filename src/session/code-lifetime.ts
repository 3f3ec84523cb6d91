/** Which of the codes of one start it is: the first lives longer. */
export type CodeKind = 'first' | 'later';

/** A code that a session shows, and what is known of its time. */
export interface Code {
  readonly text: string;
  readonly kind: CodeKind;
  /** When the panel got it, in milliseconds since 1970 by the browser's clock, as all times of the panel. */
  readonly at: number;
  /** Whether it was pushed: of one that a list brought it is not known how long it had been up. */
  readonly pushed: boolean;
  /** How often the rhythm had been disturbed by then: a push was perhaps lost, or a session started anew. */
  readonly disturbances: number;
}

/** What takes longer is no rhythm of a server, and what comes at once was held up on its way. */
const SHORTEST_MS = 1000;
const LONGEST_MS = 180_000;
/** How many lives of a kind are looked at: one of them may be an accident. */
const REMEMBERED = 3;

/**
 * How long the codes of a server live, in milliseconds. It begins with WhatsApp's own rhythm (field notes §3:
 * 60 s, and then every 20 s), and learns from the pushes, since a server may have another.
 *
 * What holds is the middle one of the last lives, or the shorter of two: a shorter rhythm is believed at once and a
 * longer one when it was seen again, since it is worse to show a code that has expired than to cover one that has not.
 */
export class Rhythm {
  readonly #lives: Record<CodeKind, readonly number[]> = { first: [60_000], later: [20_000] };

  /** When a code has ended, if no word of the server comes before. */
  end({ kind, at }: Code): number {
    const lives = this.#lives[kind].toSorted((one, other) => one - other);
    return at + (lives[(lives.length - 1) >> 1] ?? 0);
  }

  /** A code was followed by another one: that was its life, if both were pushed and nothing disturbed them. */
  learn(code: Code, next: Code): void {
    const life = next.at - code.at;
    const comparable = code.pushed && next.pushed && code.disturbances === next.disturbances;
    if (!comparable || life < SHORTEST_MS || life > LONGEST_MS) return;
    this.#lives[code.kind] = [...this.#lives[code.kind].slice(1 - REMEMBERED), life];
  }
}
