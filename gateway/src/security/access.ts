import type { Logger } from 'pino';
import { parseAccess, type UsersByToken } from './access-file.ts';
import { Admission } from './admission.ts';
import { AUDIENCE, isSecret, JWT_KEY, parseJwtKey } from './jwt.ts';
import { SettingsFile, SettingsFileError } from './settings-file.ts';

const ACCESS = '--access';

export interface AccessOptions {
  /**
   * The token of those who may do everything, sent unencoded in a header. Without it, `access` and `jwtKey`, everybody who
   * can connect may.
   */
  token?: string | undefined;
  /** The file with other users: docs/access.md. It is read again when it changes. */
  access?: string | undefined;
  /** The file with the key of tokens that the portal signs: docs/access.md. It is read again when it changes. */
  jwtKey?: string | undefined;
  /** The audience of those tokens. Default `whatsapp-operadores`. */
  jwtAudience?: string | undefined;
}

/** Who may do what: {@link AccessOptions} and the files that they name. */
export class Access {
  readonly admission: Admission;
  readonly #files: SettingsFile[] = [];

  /** Reads the files. Throws a `SettingsFileError` with a sentence for each fault. */
  constructor(options: AccessOptions, log: Logger) {
    const { token, access, jwtKey, jwtAudience: audience = AUDIENCE } = options;
    this.admission = new Admission({ token, audience, hasUsers: access !== undefined }, log);
    if (access !== undefined) {
      const apply = (text: string) => this.admission.setUsers(usersIn(text));
      this.#files.push(new SettingsFile(access, ACCESS, { apply }, log));
    }
    if (jwtKey !== undefined) {
      const apply = (text: string) => this.admission.setJwtKey(parseJwtKey(text));
      this.#files.push(new SettingsFile(jwtKey, JWT_KEY, { apply, isSecret }, log));
    }
  }

  /** Reads the files again. */
  reload(): void {
    for (const file of this.#files) file.reload();
  }

  close(): void {
    for (const file of this.#files) file.close();
  }
}

function usersIn(text: string): UsersByToken {
  const problems: string[] = [];
  const users = parseAccess(text, problems);
  if (problems.length === 0) return users;
  throw new SettingsFileError(problems.map((problem) => `The file of ${ACCESS}: ${problem}`).join('\n'));
}
