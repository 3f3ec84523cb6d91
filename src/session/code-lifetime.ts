/** How long the codes of a server live where it does not tell their ends, as pure functions. */

/** A QR code that a session shows, and what is known of its age. */
export interface Code {
  readonly text: string;
  /** Whether it is the first one of its start: that one lives longer. */
  readonly first: boolean;
  /** When the panel received it, and when it ends, in milliseconds since 1970 by the browser's clock. */
  readonly at: number;
  readonly until: number;
  /** Whether a push brought it: the age of one from a list is unknown. */
  readonly pushed: boolean;
  /** How many interruptions there had been: codes on both sides of one tell nothing about lifetimes. */
  readonly interruptions: number;
  /** The operator asked to see it although its time was over. */
  readonly trusted?: boolean;
}

/** The last lives of codes, in milliseconds: of those that were the first of their start, and of later ones. */
export interface CodeLives {
  readonly first: readonly number[];
  readonly later: readonly number[];
}

/** WhatsApp's own rhythm: 60 s, then 20 s each. Pushes correct it, since a server may have another. */
export const DEFAULT_LIVES: CodeLives = { first: [60_000], later: [20_000] };

/** Shorter lives come from delayed pushes, longer ones from a server that stalled. */
const SHORTEST_MS = 1000;
const LONGEST_MS = 180_000;
/** How many lives of a kind are remembered: one of them may be an outlier. */
const REMEMBERED = 3;

/**
 * Returns how long a code is expected to live, in milliseconds: the lower median of the last lives. So a shorter life counts
 * at once and a longer one only when seen twice: showing an expired code is worse than covering a valid one.
 */
export function expectedLife({ first, later }: CodeLives, isFirst: boolean): number {
  const lives = (isFirst ? first : later).toSorted((one, other) => one - other);
  return lives[(lives.length - 1) >> 1] ?? 0;
}

/** Returns the lives with that of a code which a push has replaced, if a push brought it too and nothing interrupted them. */
export function withLife(
  lives: CodeLives,
  code: Code | undefined,
  pushed: Pick<Code, 'text' | 'at' | 'interruptions'>,
): CodeLives {
  if (!code?.pushed || code.text === pushed.text || code.interruptions !== pushed.interruptions) return lives;
  const life = pushed.at - code.at;
  if (life < SHORTEST_MS || life > LONGEST_MS) return lives;
  const kind = code.first ? 'first' : 'later';
  return { ...lives, [kind]: [...lives[kind].slice(1 - REMEMBERED), life] };
}
