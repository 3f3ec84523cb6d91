import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { io } from 'socket.io-client';
import { stablePort } from '../../test/support/stable-port.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { until } from '../../test/support/until.ts';
import { built } from './support/built.ts';
import { address, run } from './support/command.ts';
import { startGateway } from './support/gateway.ts';

const UNWRITABLE_LOG = built('test/preloads/unwritable-log');

describe('the command', { concurrency: true }, () => {
  test('--help shows every option', async (t) => {
    const help = run(t, ['--help']);
    assert.equal(await help.ended, 0);
    for (const option of ['--port', '--sessions', '--speed', '--allow-origin', '--engine', '--help']) {
      assert.ok(help.output.stdout.includes(option), option);
    }
    assert.equal(help.output.stderr, '');
  });

  test('prints one sentence for a mistake', async (t) => {
    const mistaken = run(t, ['--port', 'x']);
    assert.equal(await mistaken.ended, 2);
    assert.deepEqual(mistaken.output, {
      stdout: '',
      stderr: "--port takes a whole number from 0 to 65535, not 'x'.\n",
    });
  });

  test('prints one sentence for a port in use', async (t) => {
    const { port } = new URL((await startGateway(t)).url);
    const second = run(t, ['--port', port]);
    assert.equal(await second.ended, 1);
    assert.equal(second.output.stdout, '');
    assert.equal(
      second.output.stderr.trimEnd().split('\n').at(-1),
      `Port ${port} is in use: stop the program that uses it, or choose another with --port.`,
    );
  });

  for (const command of [['nodes'], ['drain', 'x'], ['migrate', 'data'], ['list'], []]) {
    test(`prints one sentence for a database that is not there: ${command[0] ?? 'start'}`, async (t) => {
      const database = `postgres://wo:secret@127.0.0.1:${await stablePort()}/wo`;
      const data = ['--data', temporaryFolder(t)];
      const failed = run(t, [
        ...command,
        ...(command.length > 0 ? data : ['--port', '0']),
        '--database',
        database,
      ]);
      assert.equal(await failed.ended, 1);
      assert.equal(failed.output.stdout, '');
      assert.match(failed.output.stderr, /^The database at .* cannot be used \(ECONNREFUSED\): .*\.\n$/);
      assert.doesNotMatch(failed.output.stderr, /secret/);
    });
  }

  test('goes on when its log cannot be written, as on a full disk', async (t) => {
    const gateway = run(t, ['--port', '0', '--log-level', 'debug'], { imports: UNWRITABLE_LOG });
    const url = await address(gateway);
    for (let calls = 0; calls < 3; calls++) {
      assert.equal((await fetch(`${url}/api/session/sessions`)).status, 200);
    }
    gateway.child.kill('SIGTERM');
    assert.equal(await gateway.ended, 0);
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`ends cleanly on ${signal}, with a page open, even if it comes twice`, async (t) => {
      const gateway = run(t, ['--port', '0', '--log-level', 'info']);
      const url = await address(gateway);
      const socket = io(url, { forceNew: true, reconnection: false });
      t.after(() => socket.disconnect());
      await until(() => socket.connected, 'a connection');
      assert.equal((await fetch(`${url}/api/session/sessions`)).status, 200);

      gateway.child.kill(signal);
      gateway.child.kill(signal);
      assert.equal(await gateway.ended, 0);
      assert.match(gateway.output.stdout, /^http:\/\/127\.0\.0\.1:\d+\/ \(Ctrl-C stops it\)\n$/);
      const events = gateway.output.stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).msg);
      assert.deepEqual([events.includes('Started'), events.at(-1)], [true, 'Ended.']);
    });
  }

  test('applies its options', async (t) => {
    const gateway = run(t, [
      ...['--port', '0', '--sessions', '30', '--speed', '10', '--engine', 'simulated'],
      ...['--allow-origin', 'https://a.example', '--allow-origin', 'https://b.example/'],
    ]);
    const url = await address(gateway);
    for (const origin of ['https://a.example', 'https://b.example']) {
      const answer = await fetch(`${url}/api/session/sessions`, { headers: { Origin: origin } });
      assert.equal(answer.headers.get('access-control-allow-origin'), origin);
      const sessions: unknown = await answer.json();
      assert.ok(Array.isArray(sessions) && sessions.length === 30);
    }
  });
});
