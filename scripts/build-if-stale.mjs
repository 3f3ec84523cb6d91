/** Builds if there is no build, or if its sources are newer: `npm ci` has just built. */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';

const BUILT = 'dist/whatsapp-operadores.js';
const MADE_OF = [
  'src',
  'gateway/link-page',
  'scripts',
  'rollup.config.mjs',
  'tsconfig.json',
  'package-lock.json',
];

const changed = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Returns when the newest file at or below a path was changed. */
function newest(path) {
  if (!statSync(path).isDirectory()) return changed(path);
  const files = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
    // What the last build made there.
    .filter((file) => !file.includes('/dist/'));
  return Math.max(...files.map(changed));
}

if (changed(BUILT) < Math.max(...MADE_OF.map(newest))) {
  const { status } = spawnSync('npm', ['run', 'build'], { stdio: 'inherit', shell: true });
  process.exitCode = status ?? 1;
}
