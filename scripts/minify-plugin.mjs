import { minify } from 'rolldown/utils';

/**
 * Rollup plugin: minifies a script or a module with Oxc, rolldown's minifier.
 *
 * @param notice the comment that a script begins with
 */
export const minified = (notice) => ({
  name: 'minified',
  async renderChunk(text, { fileName }, { format }) {
    const isModule = format === 'es';
    const { code, map, errors } = await minify(fileName, text, {
      module: isModule,
      compress: { target: 'es2022' },
      // In a page that declares no encoding, a script is not read as UTF-8: accents are escaped.
      codegen: { removeWhitespace: true, asciiOnly: !isModule },
      sourcemap: true,
    });
    for (const { message } of errors) this.error(message);
    if (isModule) return { code, map };
    // Behind a file that ends without a semicolon, the script's first parenthesis would call what stands there.
    const head = `${notice}\n;\n`;
    // Each semicolon of the map stands for a line.
    return { code: head + code, map: { ...map, mappings: `;;${map.mappings}` } };
  },
});
