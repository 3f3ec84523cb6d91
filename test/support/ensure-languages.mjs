/** `node test/support/ensure-languages.mjs`: installs the languages of the documentation's programs, if they are missing. */
import { spawnSync } from 'node:child_process';
import { findOrInstall } from './install-browser.mjs';

const LANGUAGES = [
  ['python3', 'Python', 'python3'],
  ['php', 'PHP', 'php-cli'],
];

try {
  for (const [command, what, packages] of LANGUAGES) {
    const find = () => (spawnSync(command, ['--version']).status === 0 ? command : undefined);
    const how = { what, debian: packages, ubuntu: packages, todo: `install ${command}` };
    console.log(`${what}: ${findOrInstall(find, how)}`);
  }
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
