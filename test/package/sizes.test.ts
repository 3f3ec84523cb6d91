import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { transformSync } from 'esbuild';

/** As servers do it unless they are told otherwise. 1 kB is 1000 bytes. */
const gzipped = (code: string) => gzipSync(code, { level: 6 }).length / 1000;

/*
 * Of both, 9 kB are for servers with extensions: names, histories, links, codes to type. 2 kB are those of outlines, until
 * what they make superfluous has gone.
 */
describe('what a page has to load, by gzip,', () => {
  it('is under 138 kB for a script tag, everything inside', (t) => {
    const size = gzipped(readFileSync('dist/whatsapp-operadores.js', 'utf8'));
    t.diagnostic(`dist/whatsapp-operadores.js: ${size.toFixed(1)} kB`);
    assert.ok(size < 138, `${size} kB`);
  });

  it('is at most 47 kB for our own code, style sheets and sentences included, which is all but the packages', (t) => {
    const { code } = transformSync(readFileSync('dist/index.js', 'utf8'), { minify: true, format: 'esm' });
    const size = gzipped(code);
    t.diagnostic(`dist/index.js, minified: ${size.toFixed(1)} kB`);
    assert.ok(size <= 47, `${size} kB`);
  });
});
