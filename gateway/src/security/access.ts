import type { Logger } from 'pino';
import type { FileContent } from '../ledger/small-file.ts';
import { parseAccess, type UsersByToken } from './access-file.ts';
import { Admission } from './admission.ts';
import { AUDIENCE, JWT_KEY, parseJwtKey } from './jwt.ts';
import { SettingsFile, SettingsFileError } from './settings-file.ts';

const ACCESS = '--access';

export interface AccessOptions {
  /** Of those who may do everything. */
  readonly token?: string | undefined;
  /** The file with the users of other tokens. */
  readonly access?: string | undefined;
  /** The file with the key of tokens that the portal signs. */
  readonly jwtKey?: string | undefined;
  /** The audience of those. Default `whatsapp-operadores`. */
  readonly jwtAudience?: string | undefined;
}

/** The gateways that share an access file. */
interface Exchange {
  /** Offers this gateway's file. @param take receives the newest of all */
  offer(own: FileContent, take: (newest: FileContent) => void): void;
}

/** Who may do what: {@link AccessOptions} and the files that they name. */
export class Access {
  readonly admission: Admission;
  readonly #files: SettingsFile[] = [];
  readonly #log: Logger;
  #exchange: Exchange | undefined;
  /** The file that the users come from. */
  #users: FileContent | undefined;
  /** What another gateway has, and this one cannot use. */
  #refused: string | undefined;

  /** Reads the files. Throws a `SettingsFileError` with a sentence for each fault. */
  constructor(options: AccessOptions, log: Logger) {
    const { token, access, jwtKey, jwtAudience: audience = AUDIENCE } = options;
    this.#log = log;
    this.admission = new Admission({ token, audience, hasUsers: access !== undefined }, log);
    if (access !== undefined) {
      const apply = ({ text, changed }: FileContent) => {
        // A change counts, even if the clock of another gateway is ahead.
        const content = { text, changed: Math.max(changed, (this.#users?.changed ?? 0) + 1) };
        this.#take(content);
        this.#exchange?.offer(content, this.#takeShared);
      };
      this.#files.push(new SettingsFile(access, ACCESS, apply, log));
    }
    if (jwtKey !== undefined) {
      const apply = ({ text }: FileContent) => this.admission.setJwtKey(parseJwtKey(jwtKey, text));
      this.#files.push(new SettingsFile(jwtKey, JWT_KEY, apply, log));
    }
  }

  /** Uses the access file of all gateways from now on, if there is one here. */
  shareWith(exchange: Exchange): void {
    this.#exchange = exchange;
    if (this.#users) exchange.offer(this.#users, this.#takeShared);
  }

  /** Reads the files again. */
  reload(): void {
    for (const file of this.#files) file.reload();
  }

  close(): void {
    for (const file of this.#files) file.close();
  }

  #take(content: FileContent): void {
    if (this.#users && content.changed < this.#users.changed) return;
    if (content.text !== this.#users?.text) this.admission.setUsers(usersIn(content));
    this.#users = content;
  }

  readonly #takeShared = (content: FileContent): void => {
    if (content.text === this.#refused) return;
    try {
      this.#take(content);
    } catch (error) {
      if (!(error instanceof SettingsFileError)) throw error;
      this.#refused = content.text;
      const problems = error.message.split('\n');
      this.#log.error({ problems }, 'The access file of another gateway cannot be used.');
    }
  };
}

function usersIn({ text }: FileContent): UsersByToken {
  const problems: string[] = [];
  const users = parseAccess(text, problems);
  if (problems.length === 0) return users;
  throw new SettingsFileError(problems.map((problem) => `The file of ${ACCESS}: ${problem}`).join('\n'));
}
