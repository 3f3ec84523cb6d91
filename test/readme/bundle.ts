import { createRequire } from 'node:module';
import { build, type Loader, type Plugin } from 'esbuild';
import { compile } from 'svelte/compiler';
import { compileScript, parse } from 'vue/compiler-sfc';
import { NIGHTLY_PACKAGES } from '../support/nightly-packages.ts';

/** Modules that are no files, by their names: snippets, and what stands in for a tool. */
type Modules = Record<string, { readonly code: string; readonly loader: Loader }>;

/** Bundles an entry as a user's bundler would, with the package taken by its name and its `exports`. */
export async function bundle(
  entry: string,
  modules: Modules,
  platform: 'browser' | 'node' = 'browser',
): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, loader: 'tsx', resolveDir: process.cwd() },
    nodePaths: [NIGHTLY_PACKAGES],
    bundle: true,
    write: false,
    platform,
    format: platform === 'browser' ? 'iife' : 'cjs',
    jsx: 'automatic',
    logLevel: 'silent',
    define: {
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'false',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    // As in Angular's own projects.
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true, useDefineForClassFields: false } },
    plugins: [virtual(modules)],
  });
  const [output] = outputFiles;
  if (!output) throw new Error('esbuild gave no output');
  return output.text;
}

function virtual(modules: Modules): Plugin {
  return {
    name: 'virtual',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ path }) =>
        path in modules ? { path, namespace: 'virtual' } : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'virtual' }, ({ path }) => {
        const module = modules[path];
        return module && { contents: module.code, loader: module.loader, resolveDir: process.cwd() };
      });
    },
  };
}

/** Runs, here in Node, what was bundled for it, and gives what it exports. */
export function run(code: string): Record<string, unknown> {
  const module: { exports: Record<string, unknown> } = { exports: {} };
  new Function('module', 'exports', 'require', code)(module, module.exports, createRequire(import.meta.url));
  return module.exports;
}

/** A single-file component of Vue as a module, as Vite's plugin compiles it with these options. */
export function compileVue(code: string, isCustomElement: (tag: string) => boolean): string {
  const { descriptor, errors } = parse(code, { filename: 'snippet.vue' });
  const [error] = errors;
  if (error) throw error;
  return compileScript(descriptor, {
    id: 'snippet',
    inlineTemplate: true,
    templateOptions: { compilerOptions: { isCustomElement } },
  }).content;
}

/** A component of Svelte as a module. */
export function compileSvelte(code: string): string {
  return compile(code, { filename: 'snippet.svelte' }).js.code;
}
