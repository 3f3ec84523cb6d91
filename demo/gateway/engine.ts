/**
 * What links a numero to WhatsApp. An engine knows nothing of HTTP, of sockets or of the words on the
 * screen; the session manager, which knows those words, drives it and hears its reports.
 */
export interface Engine {
  /**
   * Called once, before anything else: puts the sessions that exist already on the list. For each one the
   * engine calls `resume`, which lists it as waiting, and reports on it from then on.
   */
  restore(resume: (numero: string) => Report): void | Promise<void>;

  /**
   * Starts a session, or starts it over when there is one. A numero that is linked comes back without a new
   * code. Resolves as soon as the attempt is under way, not when it has succeeded; from then on (or sooner)
   * everything that happens to it goes to `report`. An engine drops the report of an earlier start. Rejects with
   * `StartRefused` when WhatsApp does not let it begin, and with `StoreError` when the disk does not.
   */
  start(numero: string, report: Report): Promise<void>;

  /**
   * Unlinks the session and forgets its credentials. Does nothing for a numero that it does not know. Rejects with
   * `StoreError` when the disk does not take the deletion.
   */
  remove(numero: string): Promise<void>;

  /** Sends a text from a linked session to one number, in digits. Tells how it went, within half a minute. */
  send(numero: string, to: string, text: string): Promise<Delivery>;

  /** Ends every session, keeping credentials, and leaves no timer behind. */
  close(): void | Promise<void>;
}

/** How a message went: WhatsApp has taken it, or why it has not. */
export type Delivery = 'sent' | DeliveryFailure;

export type DeliveryFailure =
  /** Nobody uses WhatsApp with that number, so nothing was sent. */
  | 'no-whatsapp'
  /** There was no line, so nothing was sent. */
  | 'not-connected'
  /** WhatsApp did not answer in time, so nothing was sent. */
  | 'no-answer'
  /** More had been asked for before than may be sent in that time, so nothing was sent. */
  | 'too-many'
  /** The disk has no room for the keys that a message changes, so nothing was sent. */
  | 'disk-full'
  /** The disk does not take, or give, the keys that a message needs, so nothing was sent. */
  | 'disk-failed'
  /** The message left, and WhatsApp did not confirm it: it may arrive or not. */
  | 'unconfirmed'
  /** WhatsApp refused the message. */
  | 'refused';

/** How an engine tells what happened to one session. */
export type Report = (event: EngineEvent) => void;

/** What can happen to a session, in the order of a good life. */
export type EngineEvent =
  /** There is a new code to scan; it replaces the one before. */
  | { type: 'qr'; code: string }
  /** The code was scanned; the session is about to be ready. */
  | { type: 'authenticated' }
  /** Messages can be sent. */
  | { type: 'ready' }
  /** WhatsApp's own word for what goes on, such as `OPENING` while the line is lost. */
  | { type: 'state'; state: string }
  /** Every code expired without being scanned. */
  | { type: 'qr_timeout' }
  /** The session ended: unlinked on the phone, or failed for good. */
  | { type: 'disconnected' }
  /** It does not go on for now; the engine tries again by itself. */
  | { type: 'delayed'; reason: Delay }
  /** The session ended for a reason that somebody has to do something about. */
  | ({ type: 'stopped' } & Stop);

export type Delay =
  /** No answer from WhatsApp's servers: there is no internet, or something is in between. */
  | 'unreachable'
  /** WhatsApp does not take clients as old as the engine's. */
  | 'outdated';

export type Stop =
  /** The account wants a passkey before it links a device, and the engine has none to give. */
  | { reason: 'passkey' }
  /** WhatsApp has restricted the account. */
  | { reason: 'restricted' }
  /** The same session was opened elsewhere. */
  | { reason: 'replaced' }
  /** The code was scanned with the phone of another number, which was unlinked again. */
  | { reason: 'other-number'; numero: string };
