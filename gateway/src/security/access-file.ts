import { randomBytes } from 'node:crypto';
import { LONGEST_NAME } from '../../../src/wire.ts';
import { tokenHash } from '../sessions/links.ts';
import { namingProblem, normal } from '../sessions/naming.ts';
import { printable } from '../terminal.ts';
import { RIGHTS, type Right, scopeOf, type User, VISITOR } from './users.ts';

/** By the hash of the token. */
export type UsersByToken = ReadonlyMap<string, User>;

/** Returns the form in which the access file has a token. */
export function accessHash(token: string): string {
  return `sha256:${tokenHash(token)}`;
}

const HASH = /^sha256:[0-9a-f]{64}$/;

/** With a character that nobody sees, the name of a user would look like another's. Labels may have them, in emoji. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
/** Finds texts that differ by capitals, accents, spaces and punctuation alone. */
const alike = new Intl.Collator('es', { sensitivity: 'base', ignorePunctuation: true });

/** Returns what is wrong with a user's name, as the end of a sentence; undefined if it is valid. */
export function nameProblem(name: unknown): string | undefined {
  if (typeof name !== 'string' || normal(name) === '') return 'needs a "name"';
  if (alike.compare(normal(name), VISITOR.name) === 0)
    return `needs another "name": that is what histories call whoever opens a link`;
  if (namingProblem({ label: name }) === undefined && !UNSEEN.test(name)) return undefined;
  return `needs a "name" of up to ${LONGEST_NAME} characters that can be shown`;
}

/**
 * Reads the users in the text of an access file.
 *
 * @param problems receives a sentence for each fault; none quotes a hash
 */
export function parseAccess(text: string, problems: string[]): UsersByToken {
  const users = new Map<string, User>();
  const names = new Set<string>();
  for (const [index, entry] of entriesOf(text, problems).entries()) {
    const { name, token } = isObject(entry) ? entry : {};
    const who = typeof name === 'string' ? ` ('${printable(name)}')` : '';
    const complain = (what: string) => problems.push(`User ${index + 1}${who} ${what}.`);
    const user = readUser(entry, complain);
    if (typeof token !== 'string' || !HASH.test(token))
      complain('needs the hash of a token as "token": the command token makes one');
    else if (users.has(token)) complain('has the token of another one');
    else users.set(token, user);
    if (names.has(user.name)) complain('has the name of another one');
    names.add(user.name);
  }
  return users;
}

function entriesOf(text: string, problems: string[]): readonly unknown[] {
  try {
    const file: unknown = JSON.parse(text);
    const repeated = repeatedProperty(text);
    if (repeated !== undefined) problems.push(repeated);
    if (isObject(file) && Array.isArray(file.users) && Object.keys(file).length === 1) return file.users;
    problems.push('It must hold an object with "users" alone: {"users": [ … ]}.');
  } catch {
    // The error would quote the file.
    problems.push('It is not valid JSON: check commas, quotes and brackets.');
  }
  return [];
}

/** Returns a sentence if an object in valid JSON has a property twice, of which `JSON.parse` keeps the last one. */
function repeatedProperty(json: string): string | undefined {
  const objects: Set<unknown>[] = [];
  for (const { 0: token, 1: name = '', index } of json.matchAll(/[{}]|("(?:[^"\\]|\\.)*")(?:\s*:)?/g)) {
    if (token === '{') objects.push(new Set());
    else if (token === '}') objects.pop();
    else if (token.endsWith(':')) {
      const names = objects.at(-1);
      const property: unknown = JSON.parse(name);
      if (names?.has(property)) {
        return `Line ${json.slice(0, index).split('\n').length} repeats the property '${printable(String(property))}'.`;
      }
      names?.add(property);
    }
  }
  return undefined;
}

const PROPERTIES = ['name', 'token', 'may', 'groups', 'numeros'];

function readUser(entry: unknown, complain: (what: string) => void): User & { readonly name: string } {
  if (!isObject(entry)) {
    complain('must be an object, such as the command token prints');
    return { name: '', rights: new Set(), scope: undefined };
  }
  const unknown = Object.keys(entry).find((property) => !PROPERTIES.includes(property));
  if (unknown !== undefined) complain(`has the unknown property '${printable(unknown)}'`);
  const problem = nameProblem(entry.name);
  if (problem !== undefined) complain(problem);

  const texts = (property: string): readonly string[] | undefined => {
    const value = entry[property];
    if (value === undefined || isTexts(value)) return value;
    complain(`needs a list of texts as "${property}"`);
    return [];
  };
  const may = texts('may');
  if (!may) complain(`needs "may", a list of ${RIGHTS.join(', ')}`);
  const odd = may?.find((word) => !isRight(word));
  if (odd !== undefined) complain(`may '${printable(odd)}', which is none of ${RIGHTS.join(', ')}`);
  return {
    name: typeof entry.name === 'string' ? normal(entry.name) : '',
    rights: new Set(may?.filter(isRight)),
    scope: scopeOf(texts('groups'), texts('numeros')),
  };
}

export function isRight(word: string): word is Right {
  return RIGHTS.some((right) => right === word);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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
