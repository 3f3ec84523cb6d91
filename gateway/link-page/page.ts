import { copyText } from '../../src/ui/clipboard.ts';
import type { WirePairing } from '../../src/wire.ts';
import { askPairing, askStart, CallFailed } from './calls.ts';
import { type ConnectionListener, keepConnected } from './connection.ts';
import { PasskeySteps } from './passkey-steps.ts';
import { type Phase, phaseOf } from './phase.ts';
import type { CodeBox, Part, View } from './screen.ts';
import { END_SENTENCES } from './sentences.ts';
import * as texts from './texts.ts';
import type { WireLinkOver, WireLinkView } from './wire.ts';

/** Milliseconds without a connection until the page says so. */
const QUIET = 5_000;
/** Milliseconds after the link's time in which the gateway's own word about it may still come. */
const GRACE = 5_000;

/** Codes of reasons that whoever holds the phone has to know (docs/reasons.md); others are the operators'. */
const ACTED_ON = ['other-number', 'passkey', 'restricted', 'outdated'];

/** Narrow enough to be a phone, whose own camera cannot scan its own screen. */
const PHONE = '(max-width: 719px)';

/** The page behind a link, which links one phone and then nothing more. */
export class LinkPage implements ConnectionListener {
  readonly #token: string;
  readonly #view: View;
  readonly #ticks: ReturnType<typeof setInterval>;
  readonly #leave: () => void;
  readonly #passkey: PasskeySteps;
  #way: 'scan' | 'type' = matchMedia(PHONE).matches ? 'type' : 'scan';
  #session: WireLinkView | undefined;
  /** The gateway's time when this page's own was 0, in milliseconds: the device's clock may be wrong, and may jump. */
  #origin = 0;
  #phase: Phase | undefined;
  /** Whether the session was connected when the page opened, and still is. */
  #wasLinked = false;
  #pairing: WirePairing | undefined;
  /** Calls under way. */
  #starting = false;
  #asking = false;
  /** Why the last call failed. */
  #failure = '';
  /** Whether there was a code of this kind since the session was last started. */
  #hadQrCode = false;
  #hadPairing = false;
  #lostTimer: ReturnType<typeof setTimeout> | undefined;
  #isLost = false;
  #over: Part | undefined;

  constructor(token: string, view: View) {
    this.#token = token;
    this.#view = view;
    this.#passkey = new PasskeySteps(token, () => this.#render());
    view.act({
      choose: (way) => {
        this.#way = way;
        this.#render();
      },
      // What is over starts anew.
      start: () => (this.#over ? location.reload() : void this.#start()),
      pair: () => void this.#pair(),
      passkey: () => void this.#passkey.act(),
      copy: (shown, button) => copyText(this.#pairing?.code ?? '', shown, button),
    });
    this.#ticks = setInterval(() => this.#render(), 1_000);
    // A page that is opened in the background asks for no code until somebody sees it.
    document.addEventListener('visibilitychange', () => this.#render());
    this.lost();
    this.#leave = keepConnected(token, this);
    this.#render();
  }

  shown(session: WireLinkView): void {
    clearTimeout(this.#lostTimer);
    this.#lostTimer = undefined;
    this.#isLost = false;
    this.#session = session;
    this.#origin = session.now - performance.now();
    this.#starting = false;
    this.#passkey.take(session.passkey);
    const phase = phaseOf(session);
    if (phase !== this.#phase) this.#enter(phase);
    this.#take(session.pairing);
    this.#render();
  }

  lost(): void {
    this.#lostTimer ??= setTimeout(() => {
      this.#isLost = true;
      this.#render();
    }, QUIET);
  }

  over(reason: WireLinkOver['reason']): void {
    if (reason === 'displaced') {
      this.#view.tell(texts.displaced);
      this.#end({ kind: 'ask', text: texts.displaced, button: texts.goOnHere, busy: false });
      return;
    }
    if (reason === 'linked') this.#end(this.#linked());
    else this.#end({ kind: 'over', good: false, text: END_SENTENCES[reason], next: '' });
  }

  /** A token that is refused now, and was not before, is that of a link that is over and forgotten. */
  refused(sentence: string): void {
    this.#end({ kind: 'over', good: false, text: this.#session ? texts.forgotten : sentence, next: '' });
  }

  #end(part: Part): void {
    if (this.#over) return;
    this.#over = part;
    clearInterval(this.#ticks);
    clearTimeout(this.#lostTimer);
    this.#isLost = false;
    this.#leave();
    this.#render();
  }

  #enter(phase: Phase): void {
    const isFirst = this.#phase === undefined;
    this.#wasLinked = phase === 'linked' && isFirst;
    this.#phase = phase;
    if (phase === 'ready') this.#hadQrCode = true;
    else this.#hadPairing = false;
    this.#failure = '';
    if (phase === 'linking') this.#view.tell(texts.waits.linking);
    if (phase === 'stopped' && !isFirst) this.#view.tell(this.#whyStopped());
  }

  async #start(): Promise<void> {
    this.#starting = true;
    this.#failure = '';
    this.#render();
    try {
      await askStart(this.#token);
      // The button is busy until the session says that it starts.
    } catch (error) {
      this.#starting = false;
      this.#fail(error);
    }
    this.#render();
  }

  async #pair(): Promise<void> {
    this.#asking = true;
    this.#failure = '';
    this.#render();
    try {
      this.#take(await askPairing(this.#token));
    } catch (error) {
      this.#fail(error);
    }
    this.#asking = false;
    this.#render();
  }

  #take(pairing: WirePairing | undefined): void {
    this.#pairing = pairing;
    this.#hadPairing ||= pairing !== undefined;
  }

  #fail(error: unknown): void {
    if (!(error instanceof CallFailed)) throw error;
    this.#failure = texts.failed(error.message);
    this.#view.tell(this.#failure);
  }

  #render(): void {
    const session = this.#session;
    const expiresIn = session ? this.#leftUntil(session.expires) : 0;
    // The gateway says so itself, unless it cannot be reached.
    if (session && expiresIn < -GRACE && !this.#over) {
      this.over('expired');
      return;
    }
    if (this.#wantsCode()) {
      void this.#pair();
      return;
    }
    this.#view.render({
      numero: session?.numero ?? '',
      name: session?.name ?? '',
      part: this.#over ?? this.#part(),
      lost: this.#isLost ? (session ? texts.lost : texts.unanswered) : '',
      left: session && !this.#over ? texts.linkLeft(expiresIn) : '',
    });
  }

  /** Returns the milliseconds until a time by the gateway's clock. */
  #leftUntil(time: number): number {
    return time - this.#origin - performance.now();
  }

  #part(): Part {
    const session = this.#session;
    switch (this.#phase) {
      case undefined:
        return { kind: 'wait', text: texts.opening };
      case 'preparing':
      case 'delayed':
      case 'linking':
        return { kind: 'wait', text: texts.waits[this.#phase] };
      case 'passkey':
        return this.#passkey.part;
      case 'linked':
        return this.#linked();
      case 'stopped':
        return {
          kind: 'ask',
          text: this.#failure || this.#whyStopped(),
          button: this.#starting ? texts.generating : this.#hadQrCode ? texts.another : texts.generate,
          busy: this.#starting,
        };
      case 'ready':
        if (this.#way === 'type') return { kind: 'type', box: this.#codeBox() };
        return { kind: 'scan', qrCode: session?.qrCode };
    }
  }

  #linked(): Part {
    const text = this.#wasLinked ? texts.already : END_SENTENCES.linked;
    return { kind: 'over', good: true, text, next: texts.close };
  }

  #whyStopped(): string {
    const { reason } = this.#session ?? {};
    if (reason && ACTED_ON.includes(reason.code)) return reason.text;
    return this.#hadQrCode ? texts.expired : texts.begin;
  }

  /** Whether to ask for the first code: whoever looks at it has chosen to type one. */
  #wantsCode(): boolean {
    if (this.#phase !== 'ready' || this.#way !== 'type' || this.#over) return false;
    const isFirst = !this.#hadPairing && !this.#asking && this.#failure === '';
    return isFirst && document.visibilityState === 'visible';
  }

  #codeBox(): CodeBox {
    const left = this.#pairing ? this.#leftUntil(this.#pairing.expires) : 0;
    if (this.#pairing && left > 0) {
      return { kind: 'code', code: this.#pairing.code, left: texts.countdown(left) };
    }
    if (this.#asking) return { kind: 'asking' };
    if (this.#failure !== '') return { kind: 'none', text: this.#failure, button: texts.retry };
    // Before the first one the page is in the background.
    return this.#hadPairing
      ? { kind: 'none', text: texts.expired, button: texts.another }
      : { kind: 'asking' };
  }
}
