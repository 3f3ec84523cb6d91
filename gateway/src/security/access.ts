import type { Logger } from 'pino';
import { parseAccess, type UsersByToken } from './access-file.ts';
import { type AccessOptions, Admission } from './admission.ts';
import { isSecret, JWT_KEY, parseJwtKey } from './jwt.ts';
import { SettingsFile, SettingsFileError } from './settings-file.ts';

const ACCESS = '--access';

/** Who may do what: {@link AccessOptions} and the files that they name. */
export class Access {
  readonly admission: Admission;
  readonly #files: SettingsFile[] = [];

  /** Reads the files. Throws a `SettingsFileError` with a sentence for each fault. */
  constructor(options: AccessOptions, log: Logger) {
    const { access, jwtKey } = options;
    this.admission = new Admission(options, log);
    if (access !== undefined) {
      const apply = (text: string) => this.admission.setUsers(usersIn(text));
      this.#files.push(new SettingsFile(access, ACCESS, { apply }, log));
    }
    if (jwtKey !== undefined) {
      const apply = (text: string) => this.admission.setJwtKey(parseJwtKey(text));
      this.#files.push(new SettingsFile(jwtKey, JWT_KEY, { apply, isSecret }, log));
    }
  }

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
