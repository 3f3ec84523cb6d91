import type { DeliveryFailure } from './engine.ts';

/** Why the session manager refuses a request. */
export type SessionRefusal =
  /** There is no session of that numero. */
  | 'unknown'
  /** The sending session is not connected. */
  | 'not-connected'
  /** The session was deleted while it was starting. */
  | 'deleted'
  /** The gateway is about to end. */
  | 'draining';

/** A valid request that the session manager refuses; `http/errors.ts` maps it to a status and a sentence. */
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

/** WhatsApp does not let a session start now; thrown by an engine's `start`. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
  readonly numero: string;

  constructor(numero: string) {
    super(`start refused: ${numero}`);
    this.numero = numero;
  }
}

/** A disk operation. */
export type DiskTask =
  /** Writes the session to the list. */
  | 'start'
  /** Marks the session as deleted. */
  | 'delete'
  /** Erases the keys and, with them, a deleted session. */
  | 'erase'
  /** Removes what was erased from the journal too. */
  | 'empty-journal'
  /** Reads the credentials that make the gateway a device of the account. */
  | 'read-credentials'
  /** Reads the keys that messages need. */
  | 'read-keys'
  | 'write-keys';

/** Errors of data that is no JSON, no credentials, was changed after it was encrypted, or is on a corrupt page. */
const LOSSES = ['SyntaxError', 'TypeError', 'DecryptionError', 'SQLITE_CORRUPT'];

/** A failed disk operation; thrown by an engine's `start` and `remove`. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly task: DiskTask;
  readonly numero: string;
  /** The error's own code or name, such as `SQLITE_FULL`. */
  readonly code: string;

  /** @param sentence for the operator log */
  constructor(sentence: string, task: DiskTask, numero: string, code: string) {
    super(sentence);
    this.task = task;
    this.numero = numero;
    this.code = code;
  }

  /** Whether the disk is full, and nothing else is wrong. */
  get isFull(): boolean {
    return this.code === 'SQLITE_FULL';
  }

  /** Whether the stored credentials are corrupt: trying again does not help. */
  get isLoss(): boolean {
    return this.task === 'read-credentials' && LOSSES.includes(this.code);
  }
}

/** A recipient that a message was not sent to, or not for sure, and why. */
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
