import type { Pairing } from '../../sessions/engine.ts';
import type { Code } from './server.ts';

/** How long a code to type is valid unless its server says so, and how long typing takes, in milliseconds. */
const LIFE = 160_000;
const TYPING = 30_000;

/** The code to type of a session. */
export class PairingCode {
  readonly #tell: (pairing: Pairing | undefined) => void;
  #pairing: Pairing | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param tell called with each code, and with undefined when it expires */
  constructor(tell: (pairing: Pairing | undefined) => void) {
    this.#tell = tell;
  }

  /** The code, if enough time is left to type it. */
  get usable(): Pairing | undefined {
    const { expires = 0 } = this.#pairing ?? {};
    return expires - Date.now() >= TYPING ? this.#pairing : undefined;
  }

  begin({ code, expires = Date.now() + LIFE }: Code): Pairing {
    this.end();
    const pairing = { code, expires };
    this.#pairing = pairing;
    this.#timer = setTimeout(() => this.end(), expires - Date.now());
    this.#tell(pairing);
    return pairing;
  }

  end(): void {
    this.close();
    if (this.#pairing) this.#tell(undefined);
    this.#pairing = undefined;
  }

  /** Leaves no timer behind. */
  close(): void {
    clearTimeout(this.#timer);
  }
}
