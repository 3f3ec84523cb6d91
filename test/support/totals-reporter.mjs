import { relative } from 'node:path';
import { SLOW } from './timed.mjs';

/** Prints each failure and each slow file in a line, and the totals, at the end of the run. */
export function totalsReporter() {
  return {
    onTestRunFinished({ sessions }) {
      const files = sessions.map(({ testFile, testResults }) => ({
        testFile,
        tests: testResults ? testsOf(testResults, []) : [],
      }));
      for (const { testFile, tests } of files) {
        const seconds = tests.reduce((sum, { test }) => sum + (test.duration ?? 0), 0) / 1_000;
        if (seconds > SLOW) console.log(`slow: ${relative('.', testFile)}, ${Math.round(seconds)} s`);
      }
      const tests = files.flatMap((file) => file.tests);
      const skipped = tests.filter(({ test }) => test.skipped).length;
      const passed = tests.filter(({ test }) => test.passed && !test.skipped).length;
      // A file that cannot be loaded, or that ends early, reports no test.
      const broken = sessions.filter(({ errors }) => errors.length > 0);
      const failures = [
        ...tests
          .filter(({ test }) => !test.passed && !test.skipped)
          .map(({ test, path }) => `${[...path, test.name].join(' › ')}: ${test.error?.message}`),
        ...broken.map(({ testFile, errors }) => `${testFile}: ${errors[0].message}`),
      ];
      for (const failure of failures) console.log(`Browser test failed: ${failure.replaceAll('\n', ' ')}`);
      const rest = skipped > 0 ? `, ${skipped} skipped` : '';
      console.log(`\nBrowser tests: ${passed} passed, ${failures.length} failed${rest}`);
    },
  };
}

function testsOf({ tests, suites }, path) {
  return [
    ...tests.map((test) => ({ test, path })),
    ...suites.flatMap((suite) => testsOf(suite, [...path, suite.name])),
  ];
}
