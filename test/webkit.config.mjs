import { findWebKit } from './support/find-webkit.mjs';
import chromium from './web-test-runner.config.mjs';

const { WebKitLauncher } = await import('./support/webkit-launcher.ts');

/** The same tests in WebKit, by the driver of WebKitGTK. */
export default { ...chromium, browsers: [new WebKitLauncher(findWebKit())] };
