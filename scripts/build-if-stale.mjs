/** Builds what is not built yet or older than what it is made of: `npm ci` has just built it. */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';

const BUILT = 'dist/whatsapp-operadores.js';
const MADE_OF = ['src', 'scripts', 'rollup.config.mjs', 'tsconfig.json', 'package-lock.json'];

const changed = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** When the newest file in or below a path was changed. */
function newest(path) {
  if (!statSync(path).isDirectory()) return changed(path);
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(...files.map(({ parentPath, name }) => changed(`${parentPath}/${name}`)));
}

if (changed(BUILT) < Math.max(...MADE_OF.map(newest))) {
  const { status } = spawnSync('npm', ['run', 'build'], { stdio: 'inherit', shell: true });
  process.exitCode = status ?? 1;
}
