/** `node test/support/ensure-host-libraries.mjs`: installs Prototype, which npm does not have, if it is missing. */
import { findPrototype } from './find-prototype.mjs';
import { findOrInstall } from './install-browser.mjs';

try {
  const packages = 'libjs-prototype';
  const todo = 'set PROTOTYPE_PATH to prototype.js 1.7';
  console.log(
    `Prototype: ${findOrInstall(findPrototype, { what: 'Prototype', debian: packages, ubuntu: packages, todo })}`,
  );
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
