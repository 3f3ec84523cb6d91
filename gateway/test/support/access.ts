import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { accessHash } from '../../src/security/access-file.ts';
import type { Right } from '../../src/security/users.ts';

/** What the access file says of a user, whose token is `token-de-` and the name. */
export interface TestUser {
  readonly name: string;
  readonly may: readonly Right[];
  readonly groups?: readonly string[];
  readonly numeros?: readonly string[];
}

export const tokenOf = (name: string) => `token-de-${name}`;

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** An access file that a test can change. */
export class AccessFile {
  readonly path: string;

  constructor(users: readonly TestUser[]) {
    this.path = join(temporaryFolder(), 'access.json');
    this.write(users);
  }

  write(users: readonly TestUser[]): void {
    const entries = users.map((user) => ({ ...user, token: accessHash(tokenOf(user.name)) }));
    this.writeText(JSON.stringify({ users: entries }));
  }

  /** Replaces the file as a whole, as editors do. */
  writeText(text: string): void {
    writeFileSync(`${this.path}.new`, text, { mode: 0o600 });
    renameSync(`${this.path}.new`, this.path);
  }
}
