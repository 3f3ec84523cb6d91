import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, type TestContext, test } from 'node:test';
import { until } from '../../test/support/until.ts';
import { built } from './support/built.ts';

/** Starts a process that runs code with a log. Nobody reads its stderr yet. */
function start(t: TestContext, code: string) {
  const child = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { createLogger } from '${built('src/log')}';
    const log = createLogger();
    ${code}`,
  ]);
  t.after(() => child.kill('SIGKILL'));
  let text = '';
  return {
    child,
    ended: once(child, 'close'),
    read: () => child.stderr.setEncoding('utf8').on('data', (more) => (text += more)),
    text: () => text,
    lines: () =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line): Line => JSON.parse(line)),
  };
}

interface Line {
  readonly msg: string;
  readonly i?: number;
  readonly lines?: number;
}

describe('the log', { concurrency: true }, () => {
  test('stops nobody while nobody reads it, and then says how many lines were dropped', async (t) => {
    const { child, ended, read, text, lines } = start(
      t,
      `for (let i = 0; i < 6_000; i += 1) log.info({ i }, '${'x'.repeat(1_000)}');
      console.log('Still alive');
      process.stdin.once('data', () => {
        log.fatal('Last words');
        process.exit(1);
      });`,
    );
    await once(child.stdout, 'data');
    read();
    await until(() => text().includes('dropped'), 'the number of lines');
    child.stdin.write('\n');
    await ended;
    const shown = lines();
    const dropped = shown.at(-2)?.lines ?? 0;
    assert.ok(dropped > 0);
    assert.deepEqual(
      shown.slice(0, -2).map(({ i }) => i),
      Array.from({ length: 6_000 - dropped }, (_, i) => i),
    );
    assert.equal(shown.at(-1)?.msg, 'Last words');
  });

  test('loses nothing where somebody reads it, though the process ends at once', async (t) => {
    const { ended, read, lines } = start(
      t,
      // It is read however long the reader stands still.
      `performance.now = () => 0;
      for (let i = 0; i < 3_000; i += 1) log.info({ i }, '${'x'.repeat(1_000)}');
      process.exit(1);`,
    );
    read();
    await ended;
    assert.equal(lines().length, 3_000);
  });
});
