import type { PasskeyAssertion, PasskeyChallenge } from '../../sessions/engine.ts';
import { NoPasskeyStep } from '../../sessions/errors.ts';
import { RemoteError } from './errors.ts';
import type { RemotePasskeys } from './server.ts';
import type { Known } from './transitions.ts';

/** Wait before another request for the code to compare, in milliseconds. */
const RETRY = 2_000;

/** How long the server may go on listing a session at a step that was done, in milliseconds. */
const LAG = 10_000;

interface Parts {
  /** Absent if the server cannot. */
  readonly passkeys: RemotePasskeys | undefined;
  /** Returns the session's name on the server. */
  readonly name: () => string;
  readonly known: () => Known;
  /** Called when a step was done. */
  readonly done: () => void;
  /** Called with the code to compare, while the session is at `confirm`. */
  readonly onCode: (code: string) => void;
}

/** The steps of the passkey of one session. */
export class Passkey {
  readonly #parts: Parts;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #doneAt = Number.NEGATIVE_INFINITY;
  /** Identifies the last request for a code. */
  #fetching: object | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether the list may be older than the step that was done last. */
  get isJustDone(): boolean {
    return performance.now() - this.#doneAt < LAG;
  }

  /** Rejects with `NoPasskeyStep`, or with a `RemoteError`, like `goOn`. */
  async challenge(): Promise<PasskeyChallenge> {
    const { passkeys, name, known } = this.#parts;
    const challenge = known() === 'sign' ? await passkeys?.challenge(name()) : undefined;
    if (!challenge) throw new NoPasskeyStep();
    return challenge;
  }

  /** Signs, or says without an assertion that the codes are the same. */
  async goOn(assertion: PasskeyAssertion | undefined): Promise<void> {
    const { passkeys, name, known, done } = this.#parts;
    const step = assertion ? 'sign' : 'confirm';
    if (known() !== step) throw new NoPasskeyStep();
    const isDone = await (assertion ? passkeys?.sign(name(), assertion) : passkeys?.confirm(name()));
    if (!isDone) throw new NoPasskeyStep();
    // The server may have told already how it went on.
    if (known() !== step) return;
    this.#doneAt = performance.now();
    done();
  }

  /** Fetches the code to compare, until there is one. */
  async fetchCode(): Promise<void> {
    clearTimeout(this.#retry);
    const { passkeys, name, known, onCode } = this.#parts;
    const fetching = {};
    this.#fetching = fetching;
    const code = await passkeys?.confirmation(name()).catch((error: unknown) => {
      if (!(error instanceof RemoteError)) throw error;
    });
    if (known() !== 'confirm' || this.#fetching !== fetching) return;
    if (code !== undefined) onCode(code);
    else this.#retry = setTimeout(() => void this.fetchCode(), RETRY);
  }

  /** Leaves no timer behind. */
  close(): void {
    clearTimeout(this.#retry);
    this.#fetching = undefined;
  }
}
