import { minify } from 'rolldown/utils';

/**
 * Rollup plugin: minifies a classic script with Oxc, rolldown's minifier.
 *
 * @param notice the comment that the script begins with
 */
export const minified = (notice) => ({
  name: 'minified',
  async renderChunk(text, { fileName }) {
    const { code, map, errors } = await minify(fileName, text, {
      compress: { target: 'es2022' },
      // A page that declares no encoding is not read as UTF-8: accents are escaped.
      codegen: { removeWhitespace: true, asciiOnly: true },
      sourcemap: true,
    });
    for (const { message } of errors) this.error(message);
    // Behind a file that ends without a semicolon, the script's first parenthesis would call what stands there.
    const head = `${notice}\n;\n`;
    // Each semicolon of the map stands for a line.
    return { code: head + code, map: { ...map, mappings: `;;${map.mappings}` } };
  },
});
