/** Codes per start, as many as WhatsApp Web shows. */
const CODES = 6;

/** Lifetimes in WhatsApp Web, in milliseconds: of the first code of a connection, and of each other. */
const FIRST = 60_000;
const OTHER = 20_000;

/** The codes to scan of one start. */
export class Codes {
  readonly #life: number | undefined;
  #shown = 0;
  #end = 0;

  /** @param life lifetime of each code, in milliseconds; undefined for WhatsApp Web's */
  constructor(life: number | undefined) {
    this.#life = life;
  }

  /** When the last one expires, in milliseconds since 1970. */
  get end(): number {
    return this.#end;
  }

  /** Counts a code that is shown now. Returns false if there have been enough. */
  add(isFirst: boolean): boolean {
    if (this.#shown === CODES) return false;
    this.#shown += 1;
    const other = this.#life ?? OTHER;
    this.#end = Date.now() + (isFirst ? (this.#life ?? FIRST) : other) + (CODES - this.#shown) * other;
    return true;
  }

  startOver(): void {
    this.#shown = 0;
  }
}
