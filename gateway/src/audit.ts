import { type Logger, pino, stdTimeFunctions } from 'pino';
import { AuditFile } from './audit-file.ts';
import { clientAddress } from './security/addresses.ts';
import { ClientWarnings } from './security/client-warnings.ts';
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
