/**
 * What the mutation tests have in common. Stryker changes the code at one place at a time and counts the changes that no
 * test notices; docs/mutants.md judges those.
 */

/**
 * Returns the configuration of Stryker (https://stryker-mutator.io/docs/stryker-js/configuration) for a part of the code.
 *
 * @param {string} part The name of its report in `coverage/mutants`.
 * @param {string[]} mutate Globs of the files to change.
 * @param {string[]} tests Paths of the tests that should notice. Those that reach a change run for it.
 */
export function mutants(part, mutate, tests) {
  return {
    mutate,
    testRunner: 'tap',
    plugins: ['@stryker-mutator/tap-runner'],
    tap: {
      testFiles: tests,
      nodeArgs: [
        '--import=tsx',
        '--test-force-exit',
        '--test-reporter=tap',
        '-r',
        '{{hookFile}}',
        '{{testFile}}',
      ],
    },
    coverageAnalysis: 'perTest',
    reporters: ['clear-text', 'html', 'json'],
    clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false },
    htmlReporter: { fileName: `coverage/mutants/${part}.html` },
    jsonReporter: { fileName: `coverage/mutants/${part}.json` },
    tempDirName: 'coverage/mutants/sandbox',
    ignorePatterns: ['coverage', 'dist', 'docs', 'gateway/dist'],
  };
}
