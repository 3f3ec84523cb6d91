import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ENTRY = fileURLToPath(new URL('strict-panel.ts', import.meta.url));
const PATH = '/strict-panel.js';
/** The modules that tests import as the panel: this one, and with `everywhere` also the source. */
const STRICT = /(^|\/)strict-panel\.ts$/;
const SOURCE = /(^|\/)src\/index\.ts$/;

/** Serves the panel in development React under `StrictMode` to tests that import strict-panel.ts, or to all. */
export function strictPanelPlugin({ everywhere = false } = {}) {
  let script;
  return {
    name: 'strict-panel',
    resolveImport: ({ source }) =>
      STRICT.test(source) || (everywhere && SOURCE.test(source)) ? PATH : undefined,
    async serve({ path }) {
      if (path !== PATH) return undefined;
      script ??= bundle();
      return { body: await script, type: 'js' };
    },
  };
}

async function bundle() {
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxDev: true,
    loader: { '.css': 'text' },
    conditions: ['browser', 'development'],
    define: { 'process.env.NODE_ENV': '"development"' },
    plugins: [strictMode],
  });
  return outputFiles[0].text;
}

/** Replaces the component that the element renders by the same within `StrictMode`. */
const strictMode = {
  name: 'strict-mode',
  setup({ onResolve, onLoad, onEnd }) {
    let isWrapped = false;
    onResolve({ filter: /^\.\/panel\.tsx$/ }, ({ importer, path }) => {
      if (!importer.endsWith('/src/element.ts')) return undefined;
      return { path, namespace: 'strict' };
    });
    onLoad({ filter: /./, namespace: 'strict' }, () => {
      isWrapped = true;
      return {
        contents: `
          import { createElement, StrictMode } from 'react';
          import { Panel as Plain } from './panel.tsx';
          export const Panel = (props) => createElement(StrictMode, null, createElement(Plain, props));`,
        resolveDir: fileURLToPath(new URL('../../src', import.meta.url)),
      };
    });
    onEnd(() =>
      isWrapped ? undefined : { errors: [{ text: 'src/element.ts does not import ./panel.tsx' }] },
    );
  },
};
