/**
 * Serves CommonJS packages as ES modules, so that tests import `src/` as it is. They are bundled once, together:
 * react-dom has to find the same React as the tests.
 */
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);
const FOLDER = '/__commonjs__/';
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** @param {string[]} packages the import specifiers to serve */
export function commonJsPlugin(packages) {
  let modules;
  return {
    name: 'commonjs-packages',
    async serverStart() {
      modules = await bundle(packages);
    },
    resolveImport({ source }) {
      return packages.includes(source) ? FOLDER + fileName(source) : undefined;
    },
    serve(context) {
      if (!context.path.startsWith(FOLDER)) return undefined;
      const body = modules.get(basename(context.path));
      return body === undefined ? undefined : { body, type: 'js' };
    },
  };
}

async function bundle(packages) {
  const { outputFiles } = await build({
    entryPoints: packages.map((name) => ({ in: `named:${name}`, out: fileName(name).replace(/\.js$/, '') })),
    bundle: true,
    splitting: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    // Where a package has ES modules too: it is here since some of its own packages have none.
    mainFields: ['main'],
    conditions: ['production'],
    define: { 'process.env.NODE_ENV': '"production"' },
    outdir: FOLDER,
    plugins: [namedExports],
  });
  return new Map(outputFiles.map((file) => [basename(file.path), file.text]));
}

/** Loads the package for its export names: esbuild gives CommonJS a default export only. */
const namedExports = {
  name: 'named-exports',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^named:/ }, ({ path }) => ({
      path: path.slice('named:'.length),
      namespace: 'named',
    }));
    onLoad({ filter: /./, namespace: 'named' }, ({ path }) => {
      const names = Object.keys(require(path)).filter((name) => IDENTIFIER.test(name) && name !== 'default');
      return {
        contents: `import * as all from '${path}'; export default all.default; export const { ${names.join(', ')} } = all;`,
        resolveDir: process.cwd(),
      };
    });
  },
};

function fileName(specifier) {
  return `${specifier.replaceAll('/', '-')}.js`;
}
