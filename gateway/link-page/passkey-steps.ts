import type { WirePasskey } from '../../src/wire.ts';
import { askChallenge, CallFailed, goOn } from './calls.ts';
import { hasExtension, sign, storeHere } from './passkey.ts';
import type { Part } from './screen.ts';
import * as texts from './texts.ts';

/** Leads a person through the steps of a passkey. */
export class PasskeySteps {
  readonly #token: string;
  readonly #changed: () => void;
  #passkey: WirePasskey | undefined;
  #isBusy = false;
  #isMissing = false;
  /** Whether it has signed here for this attempt to link the phone. */
  #hasSigned = false;
  /** Why the last attempt failed. */
  #failure = '';

  /** @param changed called when the page has to show something else */
  constructor(token: string, changed: () => void) {
    this.#token = token;
    this.#changed = changed;
  }

  /** Takes the step of the session. What was under way, or failed, at another one is over. */
  take(passkey: WirePasskey | undefined): void {
    const isNew = passkey?.text !== this.#passkey?.text;
    this.#passkey = passkey;
    this.#hasSigned &&= passkey !== undefined;
    if (!isNew) return;
    this.#isBusy = false;
    this.#isMissing = false;
    this.#failure = passkey?.step === 'sign' && this.#hasSigned ? texts.refused : '';
    if (passkey?.step === 'sign') void this.#lookForExtension();
  }

  /** Says at once what has to be installed, before somebody fetches the phone. */
  async #lookForExtension(): Promise<void> {
    if (!storeHere() || (await hasExtension()) || this.#passkey?.step !== 'sign') return;
    this.#isMissing = true;
    this.#changed();
  }

  get part(): Part {
    const text = this.#failure;
    if (this.#passkey?.step === 'confirm') {
      // The sentence of the gateway, which is the operators', ends with the code.
      const code = this.#passkey.text.split(' ').at(-1) ?? '';
      return this.#part({ text: text || texts.compare, code, button: texts.same });
    }
    const store = storeHere();
    if (!store) return this.#part({ text: isSecureContext ? texts.elsewhere : texts.insecure });
    if (this.#isMissing) return this.#part({ text: texts.missing, store, button: texts.again });
    if (this.#isBusy) return this.#part({ text: texts.confirming, button: texts.waiting });
    return this.#part({ text: text || texts.passkey, button: text ? texts.again : texts.confirm });
  }

  /** Does what the button says. */
  async act(): Promise<void> {
    // A browser lets an extension that was just installed talk only to pages that are loaded afterwards.
    if (this.#isMissing) return location.reload();
    this.#isBusy = true;
    this.#failure = '';
    this.#changed();
    try {
      if (this.#passkey?.step === 'confirm') await goOn(this.#token);
      else if (await hasExtension()) await this.#sign();
      else this.#isMissing = true;
      // Otherwise it is busy until the session is at another step.
      if (!this.#isMissing) return;
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      this.#failure = texts.notConfirmed(error.message);
    }
    this.#isBusy = false;
    this.#changed();
  }

  async #sign(): Promise<void> {
    await goOn(this.#token, await sign(await askChallenge(this.#token)));
    this.#hasSigned = true;
  }

  #part(part: Omit<Part & { kind: 'passkey' }, 'kind' | 'busy'>): Part {
    return { kind: 'passkey', busy: this.#isBusy, ...part };
  }
}
