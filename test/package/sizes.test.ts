import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

/** As servers do it unless they are told otherwise. 1 kB is 1000 bytes. */
const gzipped = (code: string) => gzipSync(code, { level: 6 }).length / 1000;

/*
 * Of both, 9 kB are for servers with extensions: names, histories, links, codes to type. 2 kB are those of outlines, and
 * 2 kB those of an operator's day: order and folds of attention, groups and links in bulk, deletions taken back, failed
 * sends, what a reload knows; until what they make superfluous has gone.
 */
describe('what a page has to load, by gzip,', () => {
  it('is under 140 kB for a script tag, everything inside', (t) => {
    const size = gzipped(readFileSync('dist/whatsapp-operadores.js', 'utf8'));
    t.diagnostic(`dist/whatsapp-operadores.js: ${size.toFixed(1)} kB`);
    assert.ok(size < 140, `${size} kB`);
  });

  it('is at most 49.2 kB for our own code, style sheets and sentences included, which is all but the packages', (t) => {
    const { outputFiles } = buildSync({
      entryPoints: ['dist/index.js'],
      bundle: true,
      packages: 'external',
      format: 'esm',
      minify: true,
      write: false,
    });
    const size = gzipped(outputFiles.map(({ text }) => text).join(''));
    t.diagnostic(`dist/index.js with what it imports, minified: ${size.toFixed(1)} kB`);
    assert.ok(size <= 49.2, `${size} kB`);
  });
});
