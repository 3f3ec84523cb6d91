import type { Pairing } from '../../sessions/engine.ts';
import { NotPairable } from '../../sessions/errors.ts';
import type { Codes } from './codes.ts';
import type { Connection } from './connection.ts';
import { whileOpen } from './waits.ts';

/** The code to type of one start. */
export class PairingCode {
  readonly #tell: (pairing: Pairing | undefined) => void;
  #pairing: Pairing | undefined;

  /** @param tell called with each code, and with undefined when it is over */
  constructor(tell: (pairing: Pairing | undefined) => void) {
    this.#tell = tell;
  }

  /** Returns the code, if it is valid for so many milliseconds. */
  lasting(time: number): Pairing | undefined {
    return this.#pairing && this.#pairing.expires - Date.now() >= time ? this.#pairing : undefined;
  }

  /**
   * Requests another one, which links the phone with this number. Rejects with a `NotPairable`.
   *
   * @param unlinked returns the connection that shows codes to scan, or is about to
   * @param timeout in milliseconds
   */
  async request(
    unlinked: () => Connection | undefined,
    digits: string,
    timeout: number,
    codes: Codes,
  ): Promise<Pairing> {
    const connection = unlinked();
    if (!connection) throw new NotPairable('not-waiting');
    const requested = connection.requestCode(digits);
    const code = await whileOpen(connection, AbortSignal.timeout(timeout), requested, {
      gone: () => Promise.reject(new NotPairable('not-waiting')),
      late: () => Promise.reject(new NotPairable('no-answer')),
    });
    if (code === undefined) throw new NotPairable('refused');
    if (unlinked() !== connection) throw new NotPairable('not-waiting');
    this.#pairing = { code, expires: codes.end };
    this.#tell(this.#pairing);
    return this.#pairing;
  }

  end(): void {
    if (!this.#pairing) return;
    this.#pairing = undefined;
    this.#tell(undefined);
  }
}
