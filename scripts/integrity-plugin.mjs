import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/**
 * Rollup plugin: prints the script's hash, for the `integrity` attribute of its tag. Not on the standard output, which is that of
 * `npm pack --json`.
 */
export const integrity = {
  name: 'integrity',
  async writeBundle({ file }) {
    const hash = createHash('sha384').update(await readFile(file));
    console.error(`${file}: integrity="sha384-${hash.digest('base64')}"`);
  },
};
