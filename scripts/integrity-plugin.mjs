import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** For Rollup: tells the hash that a page can hold the script to, by the attribute `integrity` of its tag. */
export const integrity = {
  name: 'integrity',
  async writeBundle({ file }) {
    const hash = createHash('sha384').update(await readFile(file));
    console.log(`${file}: integrity="sha384-${hash.digest('base64')}"`);
  },
};
