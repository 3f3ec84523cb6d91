import { randomBytes } from 'node:crypto';
import { accessHash } from './access-file.ts';

/** 256 bits: nobody can try them all, so a fast hash suffices. */
const TOKEN_BYTES = 32;

/** Makes a token for a user. Returns what to print: the token, and the user as the access file has it, who may only see. */
export function newUser(name: string): string[] {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const user = { name, token: accessHash(token), may: ['see'] };
  return [
    `The token of ${name}, which is shown only now: ${token}`,
    'For "users" in the file of --access:',
    JSON.stringify(user),
  ];
}
