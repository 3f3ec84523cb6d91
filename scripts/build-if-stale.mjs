/** Builds if there is no build, or if its sources are newer: `npm ci` has just built. */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';

const BUILT = 'dist/whatsapp-operadores.js';
const MADE_OF = ['src', 'scripts', 'rollup.config.mjs', 'tsconfig.json', 'package-lock.json'];

const changed = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Returns when the newest file at or below a path was changed. */
function newest(path) {
  if (!statSync(path).isDirectory()) return changed(path);
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(...files.map(({ parentPath, name }) => changed(`${parentPath}/${name}`)));
}

if (changed(BUILT) < Math.max(...MADE_OF.map(newest))) {
  const { status } = spawnSync('npm', ['run', 'build'], { stdio: 'inherit', shell: true });
  process.exitCode = status ?? 1;
}
