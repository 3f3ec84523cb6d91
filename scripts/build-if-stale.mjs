/** Builds if there is no build, or if its sources are newer: `npm ci` has just built. */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';

/** The last output of each build, and its sources. */
const BUILDS = [
  {
    command: ['run', 'build:panel'],
    built: 'dist/whatsapp-operadores.js',
    from: ['src', 'gateway/link-page', 'scripts', 'rollup.config.mjs', 'tsconfig.json', 'package-lock.json'],
  },
  {
    command: ['run', 'build', '--workspace', 'gateway'],
    built: 'gateway/dist/gateway.schema.json',
    from: [
      'dist/whatsapp-operadores.js',
      'demo',
      'src',
      'gateway/src',
      'gateway/test/preloads',
      'gateway/test/stand-ins',
      'gateway/test/ledger/support/postgres-sessions.ts',
      'test/attack',
      'gateway/build.mjs',
      'gateway/openapi.mjs',
      'gateway/package.json',
      'gateway/tsconfig.json',
      'tsconfig.json',
      'package-lock.json',
    ],
  },
];

const changed = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Returns when the newest file at or below a path was changed. */
function newest(path) {
  if (!statSync(path).isDirectory()) return changed(path);
  const files = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
    // What the last build made there.
    .filter((file) => !/\/(dist|node_modules)\//.test(file));
  return Math.max(...files.map(changed));
}

for (const { command, built, from } of BUILDS) {
  if (changed(built) >= Math.max(...from.map(newest))) continue;
  const { status } = spawnSync('npm', command, { stdio: 'inherit', shell: true });
  if (status !== 0) process.exit(status ?? 1);
}
