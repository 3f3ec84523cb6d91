import { readFile } from 'node:fs/promises';
import { transform } from 'esbuild';

/**
 * Rollup plugin: imports a style sheet as its minified text, to be adopted by the shadow root. Only the sheets read the
 * tokens, so each use of a length becomes the length itself, and the other tokens get short names.
 */
export const cssText = {
  name: 'css-text',
  async transform(css, id) {
    if (!id.endsWith('.css')) return null;
    const { lengths, names } = await tokens;
    const short = css
      .replace(/^ *(--_[\w-]+): .+;\n/gm, (line, name) => (lengths.has(name) ? '' : line))
      .replace(/var\((--_[\w-]+)\)/g, (use, name) => lengths.get(name) ?? use)
      .replace(/--_[\w-]+/g, (name) => names.get(name) ?? name);
    // Without a target nothing is rewritten for older browsers, such as `light-dark()` or nested rules.
    const { code, warnings } = await transform(short, { loader: 'css', minify: true });
    for (const { text, location } of warnings) this.warn({ message: text, loc: location ?? undefined });
    return { code: `export default ${JSON.stringify(code.trim())};`, map: null };
  },
};

const tokens = readTokens();

async function readTokens() {
  const sheet = await readFile('src/ui/tokens.css', 'utf8');
  const values = new Map(
    Array.from(sheet.matchAll(/^ +(--_[\w-]+): (.+);$/gm), ([, name, value]) => [name, value]),
  );
  const isLength = ([, value]) => /^\d+px$/.test(value);
  const others = [...values].filter((token) => !isLength(token));
  return {
    lengths: new Map([...values].filter(isLength)),
    names: new Map(others.map(([name], index) => [name, `--_${index.toString(36)}`])),
  };
}
