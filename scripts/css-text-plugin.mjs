import { transform } from 'esbuild';

/** Rollup plugin: imports a style sheet as its minified text, to be adopted by the shadow root. */
export const cssText = {
  name: 'css-text',
  async transform(css, id) {
    if (!id.endsWith('.css')) return null;
    // Without a target nothing is rewritten for older browsers, such as `light-dark()` or nested rules.
    const { code, warnings } = await transform(css, { loader: 'css', minify: true });
    for (const { text, location } of warnings) this.warn({ message: text, loc: location ?? undefined });
    return { code: `export default ${JSON.stringify(code.trim())};`, map: null };
  },
};
