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
  /** Reads the credentials that make the gateway a device of the account. */
  | 'read-credentials'
  /** Reads the keys that messages need. */
  | 'read-keys'
  | 'write-keys'
  /** Names, links and history. */
  | 'read-archive'
  | 'write-archive'
  /** Looks for the session of a link. */
  | 'read-links'
  /** The version of WhatsApp Web that WhatsApp confirmed last. */
  | 'read-version'
  | 'write-version'
  /** What was told of the numbers, and what is still to be told. */
  | 'read-told'
  | 'write-told';

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
