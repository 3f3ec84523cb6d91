/**
 * Builds the package. `dist` mirrors the repository, so that the modules find the pages and the panel at the same
 * relative paths in both.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compress } from '../scripts/compress.mjs';

process.chdir(fileURLToPath(new URL('.', import.meta.url)));

rmSync('dist', { recursive: true, force: true });
const tsc = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
const { status } = spawnSync(process.execPath, [tsc], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
chmodSync('dist/gateway/src/cli.js', 0o755);
// The command reads its version there.
cpSync('package.json', 'dist/gateway/package.json');

cpSync('../demo', 'dist/demo', { recursive: true });
for (const type of ['', '.br', '.gz', '.map']) {
  const file = `dist/whatsapp-operadores.js${type}`;
  cpSync(`../${file}`, `dist/${file}`);
}
cpSync('link-page/dist', 'dist/gateway/link-page/dist', { recursive: true });
compress('dist/demo', readdirSync('dist/demo', { recursive: true }));

const { openApi } = await import('./openapi.mjs');
writeJson('dist/openapi.json', await openApi());
const { configSchema } = await import('./dist/gateway/src/options.js');
writeJson('dist/gateway.schema.json', configSchema());

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
