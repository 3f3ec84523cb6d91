/** Codes per start, as many as WhatsApp Web shows. */
const CODES = 6;

/** Lifetimes in WhatsApp Web, in milliseconds: of the first code of a connection, and of each other. */
export const LIFE = { first: 60_000, other: 20_000 };

/** Timers and the clock differ a little, in milliseconds. */
const TOLERANCE = 100;

/** The codes to scan of one start. */
export class Codes {
  readonly #first: number;
  readonly #other: number;
  #shown = 0;
  #expires = 0;

  /** @param life lifetime of each code, in milliseconds; undefined for WhatsApp Web's */
  constructor(life: number | undefined) {
    this.#first = life ?? LIFE.first;
    this.#other = life ?? LIFE.other;
  }

  /** When the one that is shown expires, in milliseconds since 1970. */
  get expires(): number {
    return this.#expires;
  }

  /** Whether the last code has expired without another one following. */
  get areOver(): boolean {
    return Date.now() >= this.#expires - TOLERANCE;
  }

  /** When the last one expires, in milliseconds since 1970. */
  get end(): number {
    return this.#expires + (CODES - this.#shown) * this.#other;
  }

  /** Counts a shown code. Returns false once there have been enough. */
  add(isFirst: boolean): boolean {
    if (this.#shown === CODES) return false;
    this.#shown += 1;
    this.#expires = Date.now() + (isFirst ? this.#first : this.#other);
    return true;
  }

  startOver(): void {
    this.#shown = 0;
  }
}
