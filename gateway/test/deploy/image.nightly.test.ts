import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

const DOCKERFILE = 'gateway/deploy/Dockerfile';

test('the image has in its context what its build reads', () => {
  const context = temporaryFolder();
  for (const file of filesInContext()) cpSync(file, join(context, file), { recursive: true });
  for (const installed of ['node_modules', 'gateway/node_modules'].filter((path) => existsSync(path)))
    symlinkSync(resolve(installed), join(context, installed));
  const packed = temporaryFolder();
  const [, builds = ''] = readFileSync(DOCKERFILE, 'utf8').match(/^RUN (npm run build .+)$/m) ?? [];
  execFileSync('sh', ['-c', builds.replace('/tmp', packed)], { cwd: context, stdio: 'pipe' });
  assert.match(readdirSync(packed).join(), /^whatsapp-operadores-gateway-.*\.tgz$/);
});

/** The repository's files that Docker sends to the build: the last line that matches a path decides. */
function filesInContext(): string[] {
  const lines = readFileSync(`${DOCKERFILE}.dockerignore`, 'utf8').split('\n');
  const rules = lines.map((line) => ({ path: line.replace('!', ''), included: line.startsWith('!') }));
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  return listed
    .split('\n')
    .filter(
      (file) =>
        rules.findLast(({ path }) => path === '*' || path === file || file.startsWith(`${path}/`))?.included,
    );
}
