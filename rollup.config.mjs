import { readFile, rm } from 'node:fs/promises';
import commonjs from '@rollup/plugin-commonjs';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import replace from '@rollup/plugin-replace';
import typescript from '@rollup/plugin-typescript';
import license from 'rollup-plugin-license';
import { compressed } from './scripts/compress.mjs';
import { cssText } from './scripts/css-text-plugin.mjs';
import { integrity } from './scripts/integrity-plugin.mjs';
import { metadata } from './scripts/metadata-plugin.mjs';
import { minified } from './scripts/minify-plugin.mjs';
import { page } from './scripts/page-plugin.mjs';
import { publicTypes } from './scripts/public-types-plugin.mjs';

const { dependencies } = JSON.parse(await readFile('package.json', 'utf8'));

const NOTICES = 'third-party-licenses.txt';
const NOTICE = `/*! Licenses: ${NOTICES} */`;

/** qrcode.react's own license only refers to that of the code inside it. */
const QR_CODE_GENERATOR = `QR Code generator library, in qrcode.react
Copyright (c) Project Nayuki. (MIT License)
https://www.nayuki.io/page/qr-code-generator-library`;

const cleanDist = { name: 'clean-dist', buildStart: () => rm('dist', { recursive: true, force: true }) };

function onwarn(warning, warn) {
  // react-toastify marks its modules for React's server components, which are none of a browser's business.
  if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
}

/**
 * For npm users: ES modules that leave the dependencies to their bundler. Packages that accept any React are inside: npm would
 * let them use that of the page.
 */
const library = {
  input: ['src/index.ts', 'src/element.ts', 'src/react.ts', 'src/svelte.ts', 'src/vue.ts'],
  external: (id) => Object.keys(dependencies).some((name) => id === name || id.startsWith(`${name}/`)),
  output: {
    dir: 'dist',
    format: 'es',
    sourcemap: true,
    hoistTransitiveImports: false,
    banner: ({ name }) => (name === 'element' ? NOTICE : ''),
  },
  onwarn,
  plugins: [
    cleanDist,
    cssText,
    nodeResolve(),
    typescript({
      filterRoot: '.',
      include: ['src/**'],
      tsconfig: 'src/tsconfig.json',
      compilerOptions: { rootDir: '.', declaration: true, declarationDir: 'dist/types' },
    }),
    publicTypes(
      'types/index.d.ts',
      'types/element.d.ts',
      'types/react.d.ts',
      'types/standalone.d.ts',
      'types/states.d.ts',
      'types/svelte.d.ts',
      'types/vue.d.ts',
    ),
    metadata,
  ],
};

/** The library's build has checked the same files. */
const unchecked = () =>
  typescript({
    filterRoot: '.',
    include: ['src/**'],
    tsconfig: 'src/tsconfig.json',
    compilerOptions: { noCheck: true },
  });

/** In one small file, for programs that import nothing else: what it shares with the panel would bring the rest of that. */
const states = {
  input: 'src/states.ts',
  output: { file: 'dist/states.js', format: 'es' },
  plugins: [unchecked(), minified()],
};

/** For a script tag: everything inside, in the production build of React. */
const standalone = {
  input: 'src/standalone.ts',
  output: {
    file: 'dist/whatsapp-operadores.js',
    format: 'iife',
    sourcemap: true,
  },
  onwarn,
  plugins: [
    cssText,
    replace({ preventAssignment: true, values: { 'process.env.NODE_ENV': JSON.stringify('production') } }),
    nodeResolve({ browser: true, exportConditions: ['production'] }),
    commonjs(),
    unchecked(),
    minified(NOTICE),
    license({
      thirdParty: {
        output: {
          file: `dist/${NOTICES}`,
          template: (packages) =>
            [...packages.map((one) => one.text()), QR_CODE_GENERATOR].join('\n\n---\n\n'),
        },
      },
    }),
    integrity,
    compressed,
  ],
};

/** The page behind a link, which the gateway serves: for any phone, so in the syntax of older browsers. */
const LINK_PAGE = 'gateway/link-page';
const linkPage = {
  input: `${LINK_PAGE}/main.ts`,
  output: { file: `${LINK_PAGE}/dist/page.js`, format: 'iife' },
  plugins: [
    nodeResolve({ browser: true }),
    page({
      'index.html': `${LINK_PAGE}/index.html`,
      'page.css': `${LINK_PAGE}/page.css`,
      'icon.svg': 'demo/favicon.svg',
    }),
    license({ thirdParty: { output: `${LINK_PAGE}/dist/${NOTICES}` } }),
    compressed,
  ],
};

export default [library, states, standalone, linkPage];
