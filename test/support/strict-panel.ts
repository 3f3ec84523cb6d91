/**
 * The panel in the development build of React, under `StrictMode`: importing this file before any other defines the element
 * so. It is bundled by strict-panel-plugin.mjs, which adds `StrictMode`. Whatever React or a package logs fails the test.
 */
export * from '../../src/index.ts';

/** The panel's own lines, and what React logs of an error that a boundary of the panel catches. */
const EXPECTED = /^(whatsapp-operadores:|%o\n\n%s\n\n%s\n$)/;

for (const level of ['error', 'warn'] as const) {
  const log = console[level];
  console[level] = (...args: unknown[]) => {
    log(...args);
    if (!EXPECTED.test(String(args[0]))) reportError(new Error(`console.${level}: ${args.join(' ')}`));
  };
}
