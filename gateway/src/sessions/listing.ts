import {
  STATES,
  type WireDetails,
  type WireLink,
  type WireListItem,
  type WirePairing,
  type WirePasskey,
} from '../../../src/wire.ts';
import { changeBetween, detailsOf, type Vitals, vitalsOf } from './details.ts';
import { isSameStep } from './passkey.ts';
import { NOT_STARTED } from './reasons.ts';
import type { SessionEvent } from './session-event.ts';
import { apply, type Push, pushesTo, type StatePush } from './transitions.ts';

interface Parts {
  readonly numero: string;
  /** Returns the link as it is listed; undefined if none is valid. */
  readonly link: () => WireLink | undefined;
  /** Receives each push, once it has taken effect. */
  readonly push: (push: Push) => void;
}

type VitalsChange = { readonly [Name in keyof Vitals]: Vitals[Name] | undefined };

/** What is listed of one session, and pushed to the panels as it changes. */
export class Listing {
  readonly #parts: Parts;
  /** The session as the engine reports it; undefined until it is listed. */
  #state: WireListItem | undefined;
  /** Shown instead while a deletion is pending, which may fail and leave the session as it is. */
  #closing: WireListItem | undefined;
  #pairing: WirePairing | undefined;
  /** The session as another process has left it, until the engine reports something. */
  #left: WireListItem | undefined;
  /** The details that were last pushed. */
  #told: WireDetails = {};
  /** The step of a passkey that was last pushed. */
  #toldStep: WirePasskey | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The session as it is listed; undefined if it is not. */
  get shown(): WireListItem | undefined {
    return this.#closing ?? this.#state;
  }

  /** Every form in which the session is or may be listed. */
  get forms(): WireListItem[] {
    return [this.#state, this.#closing].filter((form) => form !== undefined);
  }

  get isClosing(): boolean {
    return this.#closing !== undefined;
  }

  /** The code to type on the phone, while there is one. */
  get pairing(): WirePairing | undefined {
    return this.#pairing;
  }

  /** Lists a session that starts, and takes a void code off the screen. @param by the user who starts it */
  begin(details: WireDetails, by: string | undefined): void {
    this.#voidCode();
    this.#left = undefined;
    const { numero } = this.#parts;
    const kept = { ...vitalsOf(this.#state ?? {}), ...details };
    const begun = { since: Date.now(), ...(by !== undefined && { by }) };
    this.#state = { numero, state: STATES.authenticating, waiting: true, ...kept, ...begun };
  }

  /** Lists a session as another process has left it. */
  keep(session: WireListItem): void {
    this.#state = session;
  }

  /** Continues a session as another process has left it. */
  adopt(left: WireListItem): void {
    this.#left = left;
    // What WhatsApp restricts is reported again.
    const vitals = vitalsOf({ ...left, restricted: undefined, quota: undefined });
    if (this.#state) Object.assign(this.#state, vitals);
  }

  /** Pushes a session that is new, with its details. */
  tellCreated(): void {
    const { shown } = this;
    if (!shown) return;
    this.#told = detailsOf(shown);
    this.#parts.push({ event: 'created', numero: this.#parts.numero, session: shown });
  }

  /** Pushes that the session starts. */
  tellStarted(): void {
    this.#parts.push({ event: 'change_state', numero: this.#parts.numero, state: STATES.authenticating });
    this.tell();
  }

  /** Changes details beside names and state, and pushes them; undefined removes one. */
  detail(change: VitalsChange): void {
    this.set(change);
    this.tell();
  }

  /** Changes them without a push: one follows. */
  set(change: VitalsChange): void {
    for (const form of this.forms) Object.assign(form, change);
  }

  /** Pushes the changed details, and the step of a passkey if it is another. */
  tell(): void {
    const { shown } = this;
    if (!shown) return;
    this.#tellStep(shown.passkey);
    const link = this.#parts.link();
    if (link) shown.link = link;
    else delete shown.link;
    const change = changeBetween(this.#told, shown);
    if (!change) return;
    this.#told = detailsOf(shown);
    this.#parts.push({ event: 'details', numero: this.#parts.numero, change });
  }

  /**
   * Applies an event of the engine. Returns the last push, unless a deletion hides it, or the session is only as another
   * process has left it.
   *
   * @param by the user who caused it
   */
  apply(event: SessionEvent, by?: string): StatePush | undefined {
    const session = this.#state;
    if (!session) return undefined;
    const pushes = apply(session, event, by);
    const isContinued = this.#restore(session);
    if (session.qrCode === undefined) this.setPairing(undefined);
    // Details come before the state: a session that somebody unlinked has not dropped, and a code is shown with its
    // expiry.
    this.tell();
    this.#tellState(pushes);
    return this.#closing || isContinued ? undefined : pushes.at(-1);
  }

  /** Shows that a start failed. */
  fail(): void {
    const session = this.#state;
    if (!session) return;
    const pushes = apply(session, { type: 'disconnected' });
    session.reason = NOT_STARTED;
    this.#tellState(pushes);
    this.tell();
  }

  setPairing(pairing: WirePairing | undefined): void {
    if (!pairing && !this.#pairing) return;
    this.#pairing = pairing;
    this.#parts.push({ event: 'code', numero: this.#parts.numero, pairing: pairing ?? null });
  }

  /** Shows a pending deletion; what the engine reports from here on is hidden. @param by the user who deletes it */
  close(by?: string): void {
    const session = this.#state;
    if (!session || this.#closing) return;
    const { numero } = session;
    const { reason: _, codeExpires: __, by: ___, ...details } = detailsOf(session);
    this.#voidCode();
    const begun = { since: Date.now(), ...(by !== undefined && { by }) };
    this.#closing = { numero, state: STATES.closing, waiting: true, ...details, ...begun };
    this.#parts.push({ event: 'change_state', numero, state: STATES.closing });
    this.tell();
  }

  /** Shows the session as it was before a deletion that failed. */
  reopen(): void {
    this.#closing = undefined;
    this.tell();
    if (this.#state) this.#tellState(pushesTo(this.#state));
  }

  /** Takes the session off the list. */
  remove(): void {
    const { numero } = this.#parts;
    const wasListed = this.shown !== undefined;
    const by = this.#closing?.by;
    this.#closing = undefined;
    this.#state = undefined;
    if (!wasListed) return;
    // The contract has no event for a removal: this at least tells other panels that the session is disconnected.
    this.#parts.push({ event: 'disconnected', numero });
    this.#parts.push({ event: 'deleted', numero, ...(by !== undefined && { by }) });
  }

  /**
   * Brings panels to the state after a takeover.
   *
   * @param before as the other process has left it
   */
  tellAdopted({ qrCode }: WireListItem): void {
    const session = this.#state;
    if (!session?.waiting) return;
    if (qrCode !== undefined) this.#parts.push({ event: 'disconnected', numero: session.numero });
    this.#tellState([{ event: 'change_state', numero: session.numero, state: session.state }]);
    this.tell();
  }

  /**
   * Restores since when and why a session is disconnected that this process has only not connected. Returns whether it
   * is one.
   */
  #restore(session: WireListItem): boolean {
    const { state, since, reason, by } = this.#left ?? {};
    this.#left = undefined;
    if (session.state !== STATES.disconnected || session.state !== state || session.reason) return false;
    Object.assign(session, {
      ...(since !== undefined && { since }),
      ...(reason && { reason }),
      ...(by !== undefined && { by }),
    });
    return true;
  }

  #tellStep(passkey: WirePasskey | undefined): void {
    if (isSameStep(passkey, this.#toldStep)) return;
    this.#toldStep = passkey;
    this.#parts.push({ event: 'passkey', numero: this.#parts.numero, passkey: passkey ?? null });
  }

  /** Only the end of a session takes a code off the screen. */
  #voidCode(): void {
    const { numero, push } = this.#parts;
    if (this.#state?.qrCode !== undefined) push({ event: 'disconnected', numero });
    this.setPairing(undefined);
  }

  #tellState(pushes: readonly StatePush[]): void {
    if (this.#closing) return;
    for (const push of pushes) this.#parts.push(push);
  }
}
