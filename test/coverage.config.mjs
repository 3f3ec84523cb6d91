import chromium from './web-test-runner.config.mjs';

/** The tests of Chromium on the source, which tells what of it they run. */
export default {
  ...chromium,
  plugins: chromium.plugins.filter(({ name }) => name !== 'built-panel'),
  coverage: true,
  coverageConfig: { include: ['src/**/*.{ts,tsx}'], reporters: ['json'], reportDir: 'coverage' },
};
