import type { DeliveryFailure } from './engine.ts';

/** Why the session manager refuses to do something. */
export type SessionRefusal =
  /** There is no session of that numero. */
  | 'unknown'
  /** The session that is to send is not connected. */
  | 'not-connected'
  /** The session was deleted while it was starting. */
  | 'deleted';

/** A request that the manager understood and refuses; `http.ts` knows the status and the sentence for it. */
export class SessionRefused extends Error {
  override readonly name = 'SessionRefused';
  readonly reason: SessionRefusal;
  readonly numero: string;

  constructor(reason: SessionRefusal, numero: string) {
    super(`${reason}: ${numero}`);
    this.reason = reason;
    this.numero = numero;
  }
}

/** WhatsApp does not let a session start now; thrown by the engine's `start`. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
  readonly numero: string;

  constructor(numero: string) {
    super(`start refused: ${numero}`);
    this.numero = numero;
  }
}

/** What was to be done on the disk. */
export type DiskTask =
  /** The session is written to the list. */
  | 'start'
  /** The session is marked as deleted. */
  | 'delete'
  /** The keys are erased, and a deleted session with them. */
  | 'erase'
  /** What was erased is taken out of the journal too. */
  | 'empty-journal'
  /** What makes the gateway a device of the account is read. */
  | 'read-credentials'
  /** The keys that messages need are read. */
  | 'read-keys'
  | 'write-keys';

/** What cannot be read as JSON, or as credentials, or is on a page that is none. */
const LOSSES = ['SyntaxError', 'TypeError', 'SQLITE_CORRUPT'];

/** Something that the disk did not do; thrown by an engine's `start` and `remove`. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly task: DiskTask;
  readonly numero: string;
  /** The error's own code or name, as `SQLITE_FULL`. */
  readonly code: string;

  /** @param sentence what whoever runs the gateway is told */
  constructor(sentence: string, task: DiskTask, numero: string, code: string) {
    super(sentence);
    this.task = task;
    this.numero = numero;
    this.code = code;
  }

  /** Whether there is no space left, and nothing else is wrong. */
  get isFull(): boolean {
    return this.code === 'SQLITE_FULL';
  }

  /** Whether the credentials are there, but are none any more: trying again is of no use. */
  get isLoss(): boolean {
    return this.task === 'read-credentials' && LOSSES.includes(this.code);
  }
}

/** A recipient that a message was not sent to, or not surely, and why. */
export interface FailedContact {
  readonly contact: string;
  readonly reason: DeliveryFailure;
}

/** A message did not reach every recipient; each was tried. */
export class SendFailure extends Error {
  override readonly name = 'SendFailure';
  readonly failed: readonly FailedContact[];

  constructor(failed: readonly FailedContact[]) {
    super(failed.map(({ contact, reason }) => `${reason}: ${contact}`).join(', '));
    this.failed = failed;
  }
}
