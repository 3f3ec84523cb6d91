import { closeSync, openSync } from 'node:fs';
import { destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { quoted } from './ledger/folder.ts';
import { reasonOf } from './ledger/operations.ts';
import { clientAddress } from './security/addresses.ts';
import { ClientWarnings } from './security/client-warnings.ts';
import { SettingsFileError } from './security/settings-file.ts';
import type { User } from './security/users.ts';

/** What somebody did, or was refused. */
export interface Audited {
  /** Undefined for a client without a valid token. */
  readonly user: User | undefined;
  /** A right, or `connect`. */
  readonly action: string;
  readonly numero?: string | undefined;
  /** The HTTP status of the answer. */
  readonly status: number;
  /** The client's address. */
  readonly address: string | undefined;
  /** The id of the request. */
  readonly request?: string;
}

const FAILED = 'The audit log cannot be written.';
/** Of a new file, as in `chmod`. */
const MODE = 0o600;
/** How much waits while it cannot be written, in bytes; what comes after that is lost. */
const WAITING = 1_000_000;

/** The audit log: a file with one JSON line for each act and each refusal. */
export class Audit {
  readonly #file: ReturnType<typeof open>;
  readonly #operatorLog: Logger;
  readonly #log: Logger;
  /** Clients without a token can cause as many lines as they like. */
  readonly #strangers: ClientWarnings;
  readonly #path: string;
  readonly #name: string;
  #isFailing = false;

  /**
   * Throws a `SettingsFileError` if the file cannot be opened.
   *
   * @param name the gateway's, for what clients without a name do
   * @param log the operator log, for failures
   */
  constructor(file: string, name: string, log: Logger) {
    this.#name = name;
    this.#path = file;
    this.#operatorLog = log;
    this.#file = open(file);
    this.#file.on('error', (error) => this.#failed(error));
    this.#file.on('write', () => {
      this.#isFailing = false;
    });
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

  add({ user, action, address, status, ...fields }: Audited): void {
    if (!user) {
      this.#strangers.warn(this.#log, address, action, { status });
      return;
    }
    const by = user.name ?? this.#name;
    const level = isRefusal(status) ? 'warn' : 'info';
    this.#log[level]({ by, ...fields, status, address: clientAddress(address) }, action);
  }

  /** Opens the file anew, which may have been renamed. */
  reopen(): void {
    try {
      // After a reopening that fails, SonicBoom closes its descriptor once too often: by then, it may be another file's.
      closeSync(openSync(this.#path, 'a', MODE));
      this.#file.reopen();
    } catch (error) {
      this.#operatorLog.error({ err: error }, FAILED);
    }
  }

  close(): void {
    this.#strangers.flush();
    this.#file.end();
  }

  #failed(error: unknown): void {
    if (!this.#isFailing) this.#operatorLog.error({ err: error }, FAILED);
    this.#isFailing = true;
  }
}

/** Whether a status says that a user may not do something. */
export function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}

function open(file: string) {
  try {
    return destination({ dest: file, sync: true, mode: MODE, maxLength: WAITING });
  } catch (error) {
    throw new SettingsFileError(
      `The file ${quoted(file)} of --audit cannot be written (${reasonOf(error)}).`,
    );
  }
}
