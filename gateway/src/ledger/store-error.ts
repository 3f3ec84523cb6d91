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

const NOT_OWNER = 'NOT_OWNER';

/**
 * Codes of failures of the database that pass by themselves: Node's for a server that cannot be reached, that of a lost
 * connection, and PostgreSQL's classes for lost connections (08), a server that has become a standby (25006), crossing
 * transactions (40), too many connections (53300), and what took too long or was ended (57).
 */
const PASSING = /^(?:E(?!RR_)[A-Z_]+|CONNECTION_LOST|08...|25006|40...|53300|57...)$/;

/** A failed operation of the store; the message is a sentence for the operator log. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly task: DiskTask;
  /** The session; empty if the operation is about none. */
  readonly numero: string;
  /** The error's own code or name, such as `SQLITE_FULL`. */
  readonly code: string;

  constructor(task: DiskTask, numero: string, code: string) {
    super();
    this.task = task;
    this.numero = numero;
    this.code = code;
    this.message = sentenceOf(this);
  }

  /** Whether the disk is full, and nothing else is wrong. */
  get isFull(): boolean {
    return FULL.includes(this.code);
  }

  /** Whether the same will work in a few seconds. */
  get isPassing(): boolean {
    return this.code === NOT_OWNER || PASSING.test(this.code);
  }

  /** Whether the stored credentials are corrupt: trying again does not help. */
  get isLoss(): boolean {
    return this.task === 'read-credentials' && LOSSES.includes(this.code);
  }

  /** Whether something could not be written. */
  get isWrite(): boolean {
    return !this.task.startsWith('read-');
  }
}

/** Handles the rejection of an operation that nobody waits for: the store has logged its own failures. */
export function ignoreStoreError(error: unknown): undefined {
  if (!(error instanceof StoreError)) throw error;
}

/** This process does not own the session, or may not write now: nothing was written. */
export class NotOwnerError extends StoreError {
  constructor(task: DiskTask, numero: string) {
    super(task, numero, NOT_OWNER);
  }
}

/** The consequence of a failure of the store. */
export type StoreFailure = 'store-full' | 'store-failed' | 'moving';

export function storeFailure({ code, isFull }: StoreError): StoreFailure {
  if (code === NOT_OWNER) return 'moving';
  return isFull ? 'store-full' : 'store-failed';
}

function sentenceOf({ task, numero, code, isFull, isPassing, isLoss }: StoreError): string {
  if (isLoss) return `The keys of ${numero} cannot be read (${code}): delete the session and link it again.`;
  const what = numero === '' ? task : `${task} of ${numero}`;
  if (code === NOT_OWNER) return `This gateway does not own the session: ${what}.`;
  if (isFull) return `The store has no space left (${code}): ${what}.`;
  return isPassing
    ? `The database does not answer (${code}): ${what}.`
    : `The store fails (${code}): ${what}.`;
}
