import { readdir, readFile } from 'node:fs/promises';
import { transform } from 'esbuild';

/**
 * Rollup plugin: imports a style sheet as its minified text, to be adopted by the shadow root. What only the sheets use gets
 * short names: the properties that they set, and their layers.
 */
export const cssText = {
  name: 'css-text',
  async transform(css, id) {
    if (!id.endsWith('.css')) return null;
    const names = await shortNames;
    const short = css
      .replace(/--_[\w-]+/g, (name) => names.get(name) ?? name)
      .replace(/^@layer (\w)\w*/gm, '@layer $1');
    // Without a target nothing is rewritten for older browsers, such as `light-dark()` or nested rules.
    const { code, warnings } = await transform(short, { loader: 'css', minify: true });
    for (const { text, location } of warnings) this.warn({ message: text, loc: location ?? undefined });
    // Spaces that the minifier keeps: in the values of custom properties, beside slashes, in container queries.
    const text = code.trim().replace(/(?<=--\w+:|,) | (?=[/<])|(?<=[/<]) /g, '');
    return { code: `export default ${JSON.stringify(text)};`, map: null };
  },
};

const shortNames = readNames();

async function readNames() {
  const files = await readdir('src', { recursive: true });
  const paths = files.filter((path) => path.endsWith('.css')).sort();
  const sheets = await Promise.all(paths.map((path) => readFile(`src/${path}`, 'utf8')));
  const names = new Set(Array.from(sheets.join().matchAll(/^ +(--_[\w-]+):/gm), ([, name]) => name));
  return new Map(Array.from(names, (name, index) => [name, `--${index.toString(36)}`]));
}
