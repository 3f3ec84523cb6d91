import { type Cipher, cipherOf, PLAIN } from './cipher.ts';
import { FolderError } from './folder.ts';
import { readSmallFile, whyUnread } from './small-file.ts';
import { trustProblem } from './trust.ts';

/**
 * Returns the cipher of a key file; without one, the cipher that does not encrypt. Throws a {@link FolderError} that
 * never quotes the file's content.
 *
 * @param file holds 64 hexadecimal characters, as `openssl rand -hex 32` writes them
 */
export function cipherOfFile(file: string | undefined): Cipher {
  return file === undefined ? PLAIN : cipherOf(readKey(file));
}

/**
 * Returns a sentence if a store is not encrypted with the given key; null stands for no key.
 *
 * @param store the beginning of the sentence
 */
export function keyProblem(store: string, id: string | null, given: string | null): string | undefined {
  if (id === given) return undefined;
  if (id === null) return `${store} is not encrypted: leave --key-file out.`;
  const difference = given === null ? '' : `, not ${given}`;
  return `${store} is encrypted with the key ${id}${difference}: name the file of that key with --key-file.`;
}

function readKey(file: string): Buffer {
  let text: string;
  let problem: string | undefined;
  try {
    text = readSmallFile(file).toString('latin1').trim();
    problem = trustProblem(file, 'the key file', true);
  } catch (error) {
    const advice = ': create it with openssl rand -hex 32, or, if the store is encrypted, copy its key there';
    throw new FolderError(`The key file '${file}' ${whyUnread(error, advice)}.`);
  }
  if (problem !== undefined) throw new FolderError(problem);
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  throw new FolderError(
    `The key file '${file}' does not hold a key: 64 hexadecimal characters, as openssl rand -hex 32 writes them.`,
  );
}
