import type { BinaryNode, WASocket } from '@whiskeysockets/baileys';
import { readField } from '../../../../src/server/fields.ts';
import type { EngineEvent, PasskeyAssertion, PasskeyFailure, PasskeyStep } from '../../sessions/engine.ts';
import { NoPasskeyStep } from '../../sessions/errors.ts';
import type { AdvSecret } from './adv-secret.ts';
import { LIFE } from './codes.ts';
import { acknowledge } from './library.ts';
import { handoffKey, InvalidIdentity, PasskeyExchange, sealPairingRequest } from './passkey-exchange.ts';
import { decode, misfitOf, readOptions, type SignedOptions, writeSignature } from './passkey-signature.ts';
import type { SharedSettings } from './session-context.ts';
import type { Timings } from './timings.ts';

/** The notification that follows the scan, instead of the pairing, when the account requires a passkey. */
const ASKED = 'CB:notification,type:passkey_prologue_request';
const CONTINUATION = 'CB:notification,type:crsc_continuation';
const OFFER = 'CB:iq,type:set,pair-device';

const OPTIONS = 'passkey_request_options';

/** After so many refusals nothing is sent: WhatsApp limits how often one may try. */
const MOST_REFUSALS = 3;

/** What becomes of the passkey: the next step, or the end of the attempt. */
export type PasskeyEvent = Extract<EngineEvent, { type: 'passkey' | 'stopped' }>;

/** The end of an attempt. @param cause undefined where it is off */
function failed(cause?: PasskeyFailure): PasskeyEvent {
  return { type: 'stopped', reason: 'passkey', ...(cause && { cause }) };
}

/** Returns how long a step may take, in milliseconds, and what it means if it takes longer. */
export function limitOf(step: PasskeyStep['step'], { passkeySigned, passkeyAnswered }: Timings) {
  const over = failed(step === 'wait' ? 'no-phone' : 'expired');
  return { time: step === 'sign' ? passkeySigned : passkeyAnswered, over };
}

interface Parts {
  readonly settings: Pick<SharedSettings, 'library' | 'timings' | 'log' | 'passkey'>;
  readonly socket: WASocket;
  readonly secret: AdvSecret;
  /** Runs the library's code. */
  readonly use: <T>(task: () => T) => T;
  readonly tell: (event: PasskeyEvent) => void;
}

/**
 * Links a device to an account that requires a passkey, in the order of WhatsApp Web: the passkey signs, device and phone
 * exchange keys, and the device sends its own, and a new secret, under what they have agreed on. Knows no deadlines; a
 * step that takes too long is ended by the session. Repeats nothing.
 */
export class Passkey {
  readonly #parts: Parts;
  /** While a signature is waited for. */
  #options: SignedOptions | undefined;
  /** What proves to the phone that it need not compare codes, and until when. */
  #handoff: { readonly key: Uint8Array; readonly until: number } | undefined;
  /** Whether the account requires a passkey. */
  #isAsked = false;
  /** The library's last code. */
  #code: string | undefined;
  #refusals = 0;
  /** Takes the phone's half of the exchange that was begun last. */
  #onIdentity: ((identity: Uint8Array) => void) | undefined;
  /** Takes that the codes are the same, while somebody compares them. */
  #onCompared: (() => void) | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { ws } = parts.socket;
    if (!parts.settings.passkey) {
      ws.on(ASKED, () => parts.tell(failed()));
      return;
    }
    ws.prependListener(OFFER, (stanza: BinaryNode) => this.#lengthen(stanza));
    ws.on(ASKED, (node: BinaryNode) => {
      if (this.#accepts(node)) void this.#onAsked(node);
    });
    ws.on(CONTINUATION, (node: BinaryNode) => {
      const identity = parts.settings.library.getBinaryNodeChildBuffer(node, 'primary_ephemeral_identity');
      if (this.#accepts(node) && identity) this.#onIdentity?.(identity);
    });
  }

  /** Returns what has to be signed. Throws a {@link NoPasskeyStep}. */
  challenge(): SignedOptions {
    if (!this.#options) throw new NoPasskeyStep();
    return this.#options;
  }

  /** Takes a signature, or without one that the codes are the same. Throws a {@link NoPasskeyStep}. */
  goOn(assertion: PasskeyAssertion | undefined): void {
    if (!assertion) {
      if (!this.#onCompared) throw new NoPasskeyStep();
      this.#onCompared();
      this.#onCompared = undefined;
      return;
    }
    const misfit = misfitOf(assertion, this.challenge());
    // Of what was to be signed before.
    if (misfit === 'challenge') throw new NoPasskeyStep();
    this.#options = undefined;
    this.#enter({ step: 'wait' });
    if (misfit) this.#log(`the signature's ${misfit} does not fit`);
    void this.#settle(misfit ? this.#onRefused() : this.#link(assertion));
  }

  /**
   * Repeats the last code of an offer until everything has taken its time: the library ends the connection after the last
   * one, whatever else it is used for.
   */
  #lengthen(stanza: BinaryNode): void {
    const { library, timings } = this.#parts.settings;
    // Not by `getBinaryNodeChildren`, which caches what it finds.
    const refs = library.getBinaryNodeChild(stanza, 'pair-device')?.content;
    const last = Array.isArray(refs) ? refs.at(-1) : undefined;
    const longest = MOST_REFUSALS * (timings.passkeySigned + 3 * timings.passkeyAnswered);
    const times = Math.ceil(longest / (timings.code ?? LIFE.other));
    if (last && Array.isArray(refs)) refs.push(...Array<BinaryNode>(times).fill(last));
  }

  /**
   * Takes a code of the library, and returns whether it is another one. Ends the connection if there is no other, unless it
   * goes on for a passkey.
   */
  takeCode(code: string): boolean {
    const isOther = code !== this.#code;
    this.#code = code;
    if (!isOther && !this.#isAsked) {
      const error = Object.assign(new Error('No code is left'), { output: { statusCode: 408 } });
      // Its timer for the next code is set after this.
      queueMicrotask(() => void this.#parts.use(() => this.#parts.socket.end(error)));
    }
    return isOther;
  }

  /** Notes that WhatsApp, or the library, has ended the connection with this code. */
  closed(code: number): void {
    if (this.#isAsked) this.#log(`the connection has ended with ${code}`);
  }

  /** Acknowledges a notification, and returns whether it is WhatsApp's, of a phone that is being linked. */
  #accepts(node: BinaryNode): boolean {
    const { socket, settings } = this.#parts;
    const { library } = settings;
    const children = library.getAllBinaryNodeChildren(node).map(({ tag }) => tag);
    this.#log(`${node.attrs.type} with ${children.join(', ') || 'nothing'}`);
    if (node.attrs.from !== library.S_WHATSAPP_NET) return false;
    acknowledge(socket, library, node);
    return socket.authState.creds.account === undefined;
  }

  async #onAsked(node: BinaryNode): Promise<void> {
    const { library, timings } = this.#parts.settings;
    const known = this.#parts.secret.handOver();
    if (known !== undefined) {
      const until = performance.now() + timings.passkeyProven;
      this.#handoff = { key: handoffKey(library, known), until };
    }
    // With a signature under way, WhatsApp Web takes nothing from another request.
    if (this.#isAsked && !this.#options) return;
    this.#isAsked = true;
    await this.#settle(this.#ask(library.getBinaryNodeChildBuffer(node, OPTIONS)));
  }

  /** Asks for a signature of these options, or else of those that WhatsApp gives. */
  async #ask(given?: Uint8Array): Promise<void> {
    if (!given) this.#enter({ step: 'wait' });
    this.#options = readOptions(given ?? (await this.#get(OPTIONS)));
    if (!this.#options) return this.#parts.tell(failed('unknown'));
    this.#log(`to be signed: ${Object.keys(this.#options).join(', ')}`);
    this.#enter({ step: 'sign', ...(this.#refusals > 0 && { isAgain: true }) });
  }

  async #onRefused(): Promise<void> {
    this.#refusals += 1;
    if (this.#refusals < MOST_REFUSALS) await this.#ask();
    else this.#parts.tell(failed('refused'));
  }

  async #link(assertion: PasskeyAssertion): Promise<void> {
    const { socket, settings } = this.#parts;
    const { library } = settings;
    const exchange = new PasskeyExchange(library, Buffer.from(await this.#get('ref')).toString());
    // It may come before the answer is read.
    const identity = new Promise<Uint8Array>((resolve) => {
      this.#onIdentity = resolve;
    });
    const { key, until = 0 } = this.#handoff ?? {};
    const proof = key && performance.now() < until ? library.hmacSign(exchange.payload, key) : undefined;
    this.#handoff = undefined;
    try {
      await this.#send('passkey_prologue', [
        { tag: 'credential_id', attrs: {}, content: decode(assertion.rawId) },
        { tag: 'webauthn_assertion', attrs: {}, content: writeSignature(assertion) },
        { tag: 'prologue_payload', attrs: {}, content: exchange.payload },
        ...(proof ? [{ tag: 'pairing_handoff_proof', attrs: {}, content: proof }] : []),
      ]);
    } catch (error) {
      if (refusalOf(error) === undefined) throw error;
      return this.#onRefused();
    }
    this.#log(`waiting for the phone, ${proof ? 'with' : 'without'} a proof`);
    this.#enter({ step: 'wait' });
    const { code, key: agreed } = exchange.agree(await identity);
    await this.#send('companion_nonce', exchange.nonce);
    if (!proof) {
      await new Promise<void>((resolve) => {
        this.#onCompared = resolve;
        this.#enter({ step: 'confirm', code });
      });
      this.#enter({ step: 'wait' });
    }
    await this.#send(
      'encrypted_pairing_request',
      sealPairingRequest(library, socket.authState.creds, agreed),
    );
    // The pairing follows.
    this.#enter({ step: 'wait' });
  }

  /** Ends an attempt that fails, unless its connection has ended, which is reported elsewhere. */
  async #settle(attempt: Promise<void>): Promise<void> {
    await attempt.catch((error: unknown) => {
      const cause = error instanceof InvalidIdentity ? 'unknown' : 'unanswered';
      if (this.#parts.socket.ws.isOpen) this.#parts.tell(failed(cause));
    });
  }

  #enter(passkey: PasskeyStep): void {
    this.#parts.tell({ type: 'passkey', passkey });
  }

  async #get(tag: string): Promise<Uint8Array> {
    const answer = await this.#query('get', { tag, attrs: {} });
    const content = this.#parts.settings.library.getBinaryNodeChildBuffer(answer, tag);
    if (!content) throw new Error(`No ${tag}`);
    return content;
  }

  async #send(tag: string, content: BinaryNode['content']): Promise<void> {
    await this.#query('set', { tag, attrs: {}, content });
  }

  async #query(type: 'get' | 'set', child: BinaryNode): Promise<BinaryNode> {
    const { socket, settings, use } = this.#parts;
    const iq = {
      tag: 'iq',
      attrs: { to: settings.library.S_WHATSAPP_NET, xmlns: 'md', type },
      content: [child],
    };
    try {
      const answer: BinaryNode | undefined = await use(() => socket.query(iq, settings.timings.query));
      if (!answer) throw new Error('No answer');
      this.#log(`${child.tag}: answered`);
      return answer;
    } catch (error) {
      this.#log(`${child.tag}: ${refusalOf(error) ?? 'no answer'}`);
      throw error;
    }
  }

  /** Helps to find out what WhatsApp does; names alone, of which none is secret. */
  #log(what: string): void {
    this.#parts.settings.log.debug(`Passkey: ${what}`);
  }
}

/** WhatsApp's code, where the library's error is a refusal. */
function refusalOf(error: unknown): number | undefined {
  const code = readField(error, 'data');
  return typeof code === 'number' ? code : undefined;
}
