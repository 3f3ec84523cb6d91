import { ChromiumLauncher } from './support/chromium-launcher.mjs';
import chromium from './web-test-runner.config.mjs';

/** The tests of Chromium on pages that are eight times slower: what counts on the speed of a machine fails. */
export default { ...chromium, browsers: [new ChromiumLauncher({ slowdown: 8 })] };
