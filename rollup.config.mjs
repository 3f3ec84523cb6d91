import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import commonjs from '@rollup/plugin-commonjs';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import replace from '@rollup/plugin-replace';
import typescript from '@rollup/plugin-typescript';
import { minify, transform } from 'rolldown/utils';
import license from 'rollup-plugin-license';
import { angular } from './scripts/angular-plugin.mjs';
import { compressed } from './scripts/compress.mjs';
import { cssText } from './scripts/css-text-plugin.mjs';
import { integrity } from './scripts/integrity-plugin.mjs';
import { metadata } from './scripts/metadata-plugin.mjs';
import { page } from './scripts/page-plugin.mjs';
import { publicTypes } from './scripts/public-types-plugin.mjs';

const { dependencies } = JSON.parse(await readFile('package.json', 'utf8'));

const NOTICES = 'third-party-licenses.txt';
const NOTICE = `/*! Licenses: ${NOTICES} */`;

/** qrcode.react's own license only refers to that of the code inside it. */
const QR_CODE_GENERATOR = `QR Code generator library, in qrcode.react
Copyright (c) Project Nayuki. (MIT License)
https://www.nayuki.io/page/qr-code-generator-library`;

/**
 * Puts modules before the code that uses them: gzip finds more to share in code that lies together. Imports in the source
 * would be in its types too.
 */
const first = (entry, ...modules) => ({
  name: 'first',
  transform: (code, id) =>
    id.endsWith(entry)
      ? { code: modules.map((name) => `import '${name}';\n`).join('') + code, map: null }
      : null,
});

/**
 * JSX as calls whose children are arguments, as in `h('p', null, 'text')`, of a function with a short name: 0.9 kB less than
 * the calls of `react/jsx-runtime`.
 */
const JSX = '\0jsx';
const classicJsx = {
  name: 'classic-jsx',
  resolveId: (id) => (id === JSX ? id : null),
  load: (id) =>
    id === JSX
      ? `import { createElement } from 'react';\nexport { Fragment } from 'react';\nexport const h = createElement;`
      : null,
  async transform(code, id) {
    if (!id.endsWith('.tsx')) return null;
    const withFactory = `import { h as _h, Fragment as _Fragment } from '${JSX}';${code}`;
    const jsx = { runtime: 'classic', pragma: '_h', pragmaFrag: '_Fragment' };
    const { code: calls, map, errors } = await transform(`${id}.jsx`, withFactory, { jsx, sourcemap: true });
    for (const { message } of errors) this.error(message);
    return { code: calls, map };
  },
};

/** The packages: 0.9 kB. */
const packagesFirst = first(
  'src/standalone.ts',
  '@r2wc/react-to-web-component',
  'qrcode.react',
  'react-dom/client',
  'react-toastify/unstyled',
  'socket.io-client',
);

/** In an order that was found by trying thousands: 0.6 kB less than in that of the imports. Any other works too. */
const ownOrder = first(
  'src/element.ts',
  './server/http.ts',
  './context/draft.ts',
  './server/connection.ts',
  './session/session.ts',
  './session/status.ts',
  './labels.ts',
  './server/server.ts',
  './session/reducer.ts',
  './settings.ts',
  './session/urgency.ts',
  './ui/drawing-queue.ts',
  './store/store.ts',
  './ui/live-time.tsx',
  './list/export.ts',
  './list/filter.ts',
  './translate.ts',
  './notices/announcer.tsx',
  './card/numero.tsx',
  './notices/notices.tsx',
  './list/scrolling.ts',
  './list/bulk-run.ts',
  './card/steps.tsx',
  './dialogs/link-dialog.tsx',
  './card/session-menu.tsx',
  './list/list-view.ts',
  './dialogs/history-dialog.tsx',
  './panel.tsx',
  './card/forms.css',
  './list/bar.css',
);

/**
 * What the panel uses of socket.io-client, from the modules that it ships: 0.4 kB. Rollup keeps all of its entry, which
 * changes its default export by `Object.assign`.
 */
const MANAGER = fileURLToPath(new URL('node_modules/socket.io-client/build/esm/manager.js', import.meta.url));
const clientParts = {
  name: 'client-parts',
  resolveId: (id) => (id === 'socket.io-client' ? `\0${id}` : null),
  load: (id) =>
    id === '\0socket.io-client'
      ? `export { Manager } from ${JSON.stringify(MANAGER)};\nexport { WebSocket, XHR } from 'engine.io-client';`
      : null,
};

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
      compilerOptions: {
        rootDir: '.',
        jsx: 'preserve',
        jsxImportSource: 'react',
        declaration: true,
        declarationDir: 'dist/types',
      },
    }),
    classicJsx,
    ownOrder,
    publicTypes(
      'types/index.d.ts',
      'types/element.d.ts',
      'types/react.d.ts',
      'types/standalone.d.ts',
      'types/svelte.d.ts',
      'types/vue.d.ts',
    ),
    metadata,
    angular,
  ],
};

/** Minifies a script with Oxc, rolldown's minifier. */
const minified = {
  name: 'minified',
  async renderChunk(text, { fileName }) {
    const { code, map, errors } = await minify(fileName, text, {
      // No package reads a global or a property for its side effect.
      compress: {
        target: 'es2022',
        treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
      },
      // A page that declares no encoding is not read as UTF-8: accents are escaped.
      codegen: { removeWhitespace: true, asciiOnly: true },
      sourcemap: true,
    });
    for (const { message } of errors) this.error(message);
    // Behind a file that ends without a semicolon, the script's first parenthesis would call what stands there.
    const head = `${NOTICE}\n;\n`;
    // Each semicolon of the map stands for a line.
    return { code: head + code, map: { ...map, mappings: `;;${map.mappings}` } };
  },
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
    clientParts,
    nodeResolve({ browser: true, exportConditions: ['production'] }),
    commonjs(),
    typescript({
      filterRoot: '.',
      include: ['src/**'],
      tsconfig: 'src/tsconfig.json',
      // The library's build has checked the same files.
      compilerOptions: { jsx: 'preserve', jsxImportSource: 'react', noCheck: true },
    }),
    classicJsx,
    packagesFirst,
    ownOrder,
    minified,
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

export default [library, standalone, linkPage];
