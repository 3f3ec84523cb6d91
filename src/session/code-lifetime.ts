/** A QR code that a session shows, and what is known of its age. */
export interface Code {
  readonly text: string;
  /** Whether it is the first one of its start: that one lives longer. */
  readonly first: boolean;
  /** When the panel received it, in milliseconds since 1970. */
  readonly at: number;
  /** Whether a push brought it: the age of one from a list is unknown. */
  readonly pushed: boolean;
  /** How many interruptions there had been: see {@link CodeLifetime.learn}. */
  readonly interruptions: number;
  /** The operator asked to see it although its time was over. */
  readonly trusted?: boolean;
}

/** Shorter lives come from delayed pushes, longer ones from a server that stalled. */
const SHORTEST_MS = 1000;
const LONGEST_MS = 180_000;
/** How many lives of a kind are remembered: one of them may be an outlier. */
const REMEMBERED = 3;

/**
 * How long the codes of a server live. The first guess is WhatsApp's own rhythm (field notes §3: 60 s, then 20 s
 * each); pushes correct it, since a server may have another.
 *
 * The lower median of the last lives counts. So a shorter life counts at once and a longer one only when seen twice:
 * showing an expired code is worse than covering a valid one.
 */
export class CodeLifetime {
  #first: readonly number[] = [60_000];
  #later: readonly number[] = [20_000];

  /** Returns when a code expires, in milliseconds since 1970, if no push comes before. */
  end({ first, at }: Code): number {
    const lives = (first ? this.#first : this.#later).toSorted((one, other) => one - other);
    return at + (lives[(lives.length - 1) >> 1] ?? 0);
  }

  /** Learns from a code and the one that replaced it, if both were pushed and nothing interrupted them. */
  learn(code: Code, next: Code): void {
    const life = next.at - code.at;
    const comparable = code.pushed && next.pushed && code.interruptions === next.interruptions;
    if (!comparable || life < SHORTEST_MS || life > LONGEST_MS) return;
    if (code.first) this.#first = [...this.#first.slice(1 - REMEMBERED), life];
    else this.#later = [...this.#later.slice(1 - REMEMBERED), life];
  }
}
