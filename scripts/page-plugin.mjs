import { readFile } from 'node:fs/promises';
import { transform } from 'esbuild';

/** The browsers of phones that have had no updates since 2021. */
const TARGET = ['es2020', 'chrome90', 'firefox90', 'safari15'];
const NOTICE = '/*! Licenses: third-party-licenses.txt */';

/**
 * Rollup plugin: compiles and minifies a page's script for older browsers, and puts the page's other files beside it. The
 * compiler itself checks the types apart.
 *
 * @param files the path of each by the name that it gets
 */
export const page = (files) => ({
  name: 'page',
  async transform(text, id) {
    if (!id.endsWith('.ts')) return null;
    const { code } = await transform(text, { loader: 'ts', target: 'es2022' });
    return { code, map: null };
  },
  async renderChunk(code) {
    const minified = await transform(code, { minify: true, target: TARGET, legalComments: 'none' });
    return { code: `${NOTICE}\n${minified.code}`, map: null };
  },
  async generateBundle() {
    for (const [fileName, path] of Object.entries(files)) {
      const text = await readFile(path, 'utf8');
      const isStyle = fileName.endsWith('.css');
      const { code: source } = isStyle
        ? await transform(text, { loader: 'css', minify: true, target: TARGET })
        : { code: text };
      this.emitFile({ type: 'asset', fileName, source });
    }
  },
});
