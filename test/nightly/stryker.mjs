/** What the mutation tests have in common. docs/contributing/mutants.md explains them. */

/**
 * Returns the configuration of Stryker (https://stryker-mutator.io/docs/stryker-js/configuration) for a part of the code.
 *
 * @param {string} part The name of its report in `coverage/mutants`.
 * @param {string[]} mutate Globs of the files to mutate.
 * @param {string[]} tests Globs of the test files; those that reach a mutant run for it.
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
    reporters: ['clear-text', 'html'],
    clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false },
    htmlReporter: { fileName: `coverage/mutants/${part}.html` },
    tempDirName: 'coverage/mutants/sandbox',
    ignorePatterns: ['coverage', 'dist', 'docs', 'gateway/dist'],
  };
}
