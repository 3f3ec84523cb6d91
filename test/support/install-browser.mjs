/**
 * Installs a browser, or another program, as root on Debian or Ubuntu, mostly in a container. Elsewhere it prints what to do.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/**
 * @param {() => string | undefined} find
 * @param {{ what?: string, debian: string, ubuntu: string, todo: string, todoWithoutSnap?: string }} how
 *   the packages by distribution, separated by spaces, and what to do elsewhere and, for a snap, on an Ubuntu without snapd
 * @returns {string} the path of the program
 */
export function findOrInstall(find, how) {
  return find() ?? install(find, how);
}

function install(find, { what = 'browser', debian, ubuntu, todo, todoWithoutSnap }) {
  const system = distribution();
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !(system.has('debian') || system.has('ubuntu'))) {
    throw new Error(`No ${what} found: ${todo}.`);
  }
  // Ubuntu's package only installs the snap; without snapd it fails after minutes.
  if (todoWithoutSnap && system.has('ubuntu') && !existsSync('/run/snapd.socket')) {
    throw new Error(
      `No ${what} found, and Ubuntu's package needs snapd, which does not run here: ${todoWithoutSnap}.`,
    );
  }
  const name = system.has('ubuntu') ? ubuntu : debian;
  console.log(`No ${what} found: installing the distribution's ${name}.`);
  try {
    // The package lists of an image are as old as the image: the test runner may not support browsers of that age.
    aptGet('update');
    aptGet('install', '--yes', '--no-install-recommends', ...name.split(' '));
  } catch {
    throw new Error(`apt-get failed: ${todo}.`);
  }
  const installed = find();
  if (!installed) throw new Error(`${name} was installed and does not run: ${todo}.`);
  return installed;
}

/** The ID and ID_LIKE of os-release(5): `ubuntu` there stands for Ubuntu and all that is made from it. */
function distribution() {
  if (!existsSync('/etc/os-release')) return new Set();
  const lines = readFileSync('/etc/os-release', 'utf8').split('\n');
  const ids = lines.filter((line) => /^ID(_LIKE)?=/.test(line));
  return new Set(ids.flatMap((line) => line.replace(/^\w+=/, '').replaceAll('"', '').split(' ')));
}

function aptGet(...args) {
  execFileSync('apt-get', ['--quiet', '--option', 'DPkg::Lock::Timeout=300', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
