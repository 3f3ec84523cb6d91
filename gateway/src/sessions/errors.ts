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
  | 'draining'
  /** Another gateway is taking the session over. */
  | 'moving'
  /** The gateway may not act for its sessions because it cannot reach the database. */
  | 'no-database'
  /** No gateway has room for another session. */
  | 'full'
  /** The session is linked to no account. */
  | 'not-linked'
  /** The session is connected: it needs no phone. */
  | 'connected'
  /** The session does not wait for a phone to be linked. */
  | 'not-pairable'
  /** WhatsApp returned no code to type. */
  | 'no-pairing-code'
  /** One of this gateway's own phones has the numero: another server must not have it too. */
  | 'held'
  /** The server that would have it has room for one session, which has another name. */
  | 'single';

/** A valid request that the session manager refuses; `http/sentences.ts` maps it to a status and a sentence. */
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

/** A session is not linked to an account; thrown by an engine's `unlink`. */
export class NotLinked extends Error {
  override readonly name = 'NotLinked';
}

/** A session cannot be linked by a code to type; thrown by an engine's `pair`. */
export class NotPairable extends Error {
  override readonly name = 'NotPairable';
  /** Whether the session is in the wrong state, or WhatsApp returned no code. */
  readonly reason: 'not-waiting' | 'refused' | 'no-answer';

  constructor(reason: NotPairable['reason']) {
    super(`no pairing code: ${reason}`);
    this.reason = reason;
  }
}

/** Where sessions are stored: in a file on the disk, or in a database that gateways share. */
export type StorePlace = 'disk' | 'database';

/** An operation of the store. */
export type DiskTask =
  /** Writes the session to the list. */
  | 'start'
  /** Marks the session as deleted. */
  | 'delete'
  /** Erases the keys and, with them, a deleted session. */
  | 'erase'
  /** Removes erased data from the journal too. */
  | 'empty-journal'
  /** Reads the credentials that make the gateway a device of the account. */
  | 'read-credentials'
  /** Reads the keys that messages need. */
  | 'read-keys'
  | 'write-keys'
  /** Names, links and history. */
  | 'read-archive'
  | 'write-archive'
  /** Looks for the session of a link. */
  | 'read-links';

/** Errors of data that is not JSON, not credentials, was changed after encryption, or is on a corrupt page. */
const LOSSES = ['SyntaxError', 'TypeError', 'DecryptionError', 'SQLITE_CORRUPT'];

/** The codes of a full disk, in SQLite and in PostgreSQL. */
const FULL = ['SQLITE_FULL', '53100'];

/** The code of {@link NotOwnerError}. */
const NOT_OWNER = 'NOT_OWNER';

/**
 * Codes of failures of the database that pass by themselves: Node's for a server that cannot be reached, that of a lost
 * connection, and PostgreSQL's classes for lost connections (08), a server that has become a standby (25006), crossing
 * transactions (40), too many connections (53300), and what took too long or was ended (57).
 */
const PASSING = /^(?:E[A-Z_]+|CONNECTION_LOST|08...|25006|40...|53300|57...)$/;

/** A failed operation of the store; thrown by an engine's `start` and `remove`. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly task: DiskTask;
  readonly numero: string;
  /** The error's own code or name, such as `SQLITE_FULL`. */
  readonly code: string;
  readonly place: StorePlace;

  /** @param sentence for the operator log */
  constructor(sentence: string, task: DiskTask, numero: string, code: string, place: StorePlace = 'disk') {
    super(sentence);
    this.task = task;
    this.numero = numero;
    this.code = code;
    this.place = place;
  }

  /** Whether the disk is full, and nothing else is wrong. */
  get isFull(): boolean {
    return FULL.includes(this.code);
  }

  /** Whether the same will work in a few seconds. */
  get isPassing(): boolean {
    return this.place === 'database' && (this.code === NOT_OWNER || PASSING.test(this.code));
  }

  /** Whether the stored credentials are corrupt: trying again does not help. */
  get isLoss(): boolean {
    return this.task === 'read-credentials' && LOSSES.includes(this.code);
  }
}

/** The consequence of a failure of the store. */
export type StoreFailure = 'disk-full' | 'disk-failed' | 'database-full' | 'database-failed' | 'moving';

export function storeFailure({ code, place, isFull }: StoreError): StoreFailure {
  if (code === NOT_OWNER) return 'moving';
  return `${place}-${isFull ? 'full' : 'failed'}`;
}

/** A failed write. */
export class WriteError extends StoreError {}

/** Another gateway owns the session, or may: nothing was written. */
export class NotOwnerError extends WriteError {
  constructor(task: DiskTask, numero: string) {
    super(`Another gateway owns ${numero}: nothing was written.`, task, numero, NOT_OWNER, 'database');
  }
}

/** The session was never written to the disk, or the store is closed: nothing was written. */
export class NotStoredError extends WriteError {
  constructor(task: DiskTask, numero: string) {
    super(`There is no ${numero} in the store: nothing was written.`, task, numero, 'NOT_STORED');
  }
}

/** A recipient whose message was not sent, or perhaps not, and why. */
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
