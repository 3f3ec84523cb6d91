import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Logger, pino, stdTimeFunctions } from 'pino';
import { quoted } from './ledger/folder.ts';
import { reasonOf } from './ledger/operations.ts';
import { clientAddress } from './security/addresses.ts';
import { ClientWarnings } from './security/client-warnings.ts';
import { SettingsFileError } from './security/settings-file.ts';
import type { User } from './security/users.ts';

/** What somebody did, or was refused. */
interface Audited {
  /** Undefined for a client without a valid token. */
  readonly user: User | undefined;
  /** A right, or `connect`. */
  readonly action: string;
  readonly numero?: string | undefined;
  readonly status: number;
  readonly address: string | undefined;
  readonly request?: string;
}

/** The audit log: a file with one JSON line for each act and each refusal. */
export class Audit {
  readonly #file: AuditFile;
  readonly #log: Logger;
  /** Clients without a token can cause as many lines as they like. */
  readonly #strangers: ClientWarnings;
  readonly #name: string;

  /**
   * Throws a `SettingsFileError` if the file cannot be written.
   *
   * @param name the gateway's, for what clients without a name do
   * @param log the operator log, for failures
   */
  constructor(file: string, name: string, log: Logger) {
    this.#name = name;
    this.#file = new AuditFile(file, log);
    const formatters = { level: (level: string) => ({ level }) };
    this.#log = pino(
      // Each line says who, though nobody may be known.
      {
        base: null,
        timestamp: stdTimeFunctions.isoTime,
        messageKey: 'action',
        formatters,
        mixin: () => ({ by: null }),
      },
      this.#file,
    );
    this.#strangers = new ClientWarnings(this.#log);
  }

  add({ user, action, address: ip, status, ...fields }: Audited): void {
    const address = clientAddress(ip);
    if (!user) {
      this.#strangers.warn(this.#log, action, { status, address });
      return;
    }
    const by = user.name ?? this.#name;
    const level = isRefusal(status) ? 'warn' : 'info';
    this.#log[level]({ by, ...fields, status, address }, action);
  }

  /** Resolves once all is written, or cannot be. */
  close(): Promise<void> {
    this.#strangers.flush();
    return this.#file.close();
  }
}

/** Whether a status says that a user may not do something. */
export function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}

const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants;
/** A named pipe that nobody reads fails, instead of holding a thread of Node's, without which the process could not end. */
const FLAGS = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK;
/** Of a new file, as in `chmod`. */
const MODE = 0o600;
/** How much waits while it cannot be written, in characters; what comes after that is lost. */
const WAITING = 1_000_000;
/** How soon it is tried again, in milliseconds. */
const RETRY = 1_000;

/**
 * The file of the audit log. It is written in the background, since a device that hangs must not stop the gateway, and
 * opened for what has come meanwhile alone, since it may be renamed.
 */
class AuditFile {
  readonly #path: string;
  readonly #log: Logger;
  /** What is being written. */
  #begun = Buffer.alloc(0);
  #waiting = '';
  #lost = 0;
  #writing: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isFailing = false;

  constructor(path: string, log: Logger) {
    this.#path = path;
    this.#log = log;
    try {
      closeSync(openSync(path, FLAGS, MODE));
    } catch (error) {
      throw new SettingsFileError(
        `The file ${quoted(path)} of --audit cannot be written (${reasonOf(error)}).`,
      );
    }
    process.on('exit', this.#end);
  }

  write(line: string): void {
    if (this.#begun.length + this.#waiting.length + line.length > WAITING) {
      if (this.#lost === 0) this.#log.error('Too much of the audit log waits to be written: lines are lost.');
      this.#lost += 1;
      return;
    }
    this.#waiting += line;
    if (!this.#retry) this.#begin();
  }

  async close(): Promise<void> {
    this.#begin();
    while (this.#writing) await this.#writing;
    clearTimeout(this.#retry);
    process.off('exit', this.#end);
  }

  #begin(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#writing ??= this.#write()
      .catch((error: unknown) => {
        if (!this.#isFailing) this.#log.error({ err: error }, 'The audit log cannot be written.');
        this.#isFailing = true;
        this.#retry = setTimeout(() => this.#begin(), RETRY).unref();
      })
      .finally(() => {
        this.#writing = undefined;
        if (this.#waiting !== '' && !this.#retry) this.#begin();
      });
  }

  async #write(): Promise<void> {
    const file = await open(this.#path, FLAGS, MODE);
    try {
      while (this.#begun.length + this.#waiting.length > 0) {
        if (this.#begun.length === 0) {
          this.#begun = Buffer.from(this.#waiting);
          this.#waiting = '';
        }
        const { bytesWritten } = await file.write(this.#begun);
        this.#begun = this.#begun.subarray(bytesWritten);
        this.#isFailing = false;
      }
    } finally {
      await file.close();
    }
    if (this.#lost > 0) this.#log.error({ lines: this.#lost }, 'Lines of the audit log are lost.');
    this.#lost = 0;
  }

  /** The process ends without `close`, as after an unexpected error. */
  readonly #end = (): void => {
    if (this.#isFailing || this.#waiting === '') return;
    try {
      writeSync(openSync(this.#path, FLAGS, MODE), this.#waiting);
    } catch {
      // Nobody is left to be told.
    }
  };
}
