import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { io } from 'socket.io-client';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { until } from '../../test/support/until.ts';
import { runCommand } from '../src/commands.ts';
import { HELP } from '../src/help.ts';
import { built, inline } from './support/built.ts';
import { address, run } from './support/command.ts';

const TOKEN = 'el-token-que-nadie-debe-ver';
const UNWRITABLE_LOG = built('test/preloads/unwritable-log');
/** Has no time pass between two signals, however long the process stands still. */
const STOPPED_CLOCK = inline('performance.now = () => 0;');

const fail = (line: string) => assert.fail(line);

describe('the command', { concurrency: true }, () => {
  test('--help prints the options, and no token', async (t) => {
    const help = run(t, ['--token', TOKEN, '--help']);
    assert.equal(await help.ended, 0);
    assert.deepEqual(help.output, { stdout: HELP, stderr: '' });
  });

  test('prints one sentence for a mistake, without the token', async (t) => {
    const mistaken = run(t, ['--token', TOKEN, '--port', 'x']);
    assert.equal(await mistaken.ended, 2);
    assert.deepEqual(mistaken.output, {
      stdout: '',
      stderr: '--port takes a whole number from 0 to 65535.\n',
    });
  });

  test('prints one sentence where it cannot listen, without the token', async (t) => {
    const elsewhere = run(t, ['--token', TOKEN, '--host', '203.0.113.77']);
    assert.equal(await elsewhere.ended, 1);
    assert.deepEqual(elsewhere.output, {
      stdout: '',
      stderr: 'The gateway cannot listen: listen EADDRNOTAVAIL: address not available 203.0.113.77:8080.\n',
    });
  });

  describe('prints one sentence for a database that is not there, without its password', () => {
    const database = 'postgres://wo:secret@127.0.0.1:1/wo';
    const sentence =
      'The database at 127.0.0.1:1/wo cannot be used (ECONNREFUSED): see that it runs and can be reached from here.';

    test('as a process', async (t) => {
      const failed = run(t, ['--port', '0', '--database', database]);
      assert.equal(await failed.ended, 1);
      assert.deepEqual(failed.output, { stdout: '', stderr: `${sentence}\n` });
    });

    for (const command of [
      { name: 'nodes', database },
      { name: 'drain', database, node: 'x' },
      { name: 'rotate', database },
    ] as const) {
      test(`for ${command.name}`, async () => {
        const ended = runCommand(command, fail);
        await assert.rejects(ended, { name: 'DatabaseError', message: sentence });
      });
    }

    test('for migrate', async () => {
      const command = { name: 'migrate', to: 'data', folder: temporaryFolder(), database } as const;
      await assert.rejects(runCommand(command, fail), { name: 'DatabaseError', message: sentence });
    });
  });

  test('applies its options, and goes on when its log cannot be written, as on a full disk', async (t) => {
    const origins = ['https://a.example', 'https://b.example'];
    const gateway = run(
      t,
      [
        ...['--port', '0', '--sessions', '30', '--speed', '10', '--engine', 'simulated'],
        ...origins.flatMap((origin) => ['--allow-origin', origin]),
        ...['--log-level', 'debug'],
      ],
      { imports: UNWRITABLE_LOG },
    );
    const url = await address(gateway);
    for (const origin of origins) {
      const answer = await fetch(`${url}/api/session/sessions`, { headers: { Origin: origin } });
      assert.equal(answer.headers.get('access-control-allow-origin'), origin);
      const sessions: unknown = await answer.json();
      assert.ok(Array.isArray(sessions) && sessions.length === 30);
    }
    gateway.child.kill('SIGTERM');
    assert.equal(await gateway.ended, 0);
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`ends cleanly on ${signal}, with a page open, even if it comes twice`, async (t) => {
      // Packages must print nothing: they would print secrets.
      const gateway = run(t, ['--port', '0', '--log-level', 'info'], {
        env: { DEBUG: '*' },
        imports: STOPPED_CLOCK,
      });
      const url = await address(gateway);
      const socket = io(url, { forceNew: true, reconnection: false });
      t.after(() => socket.disconnect());
      await until(() => socket.connected, 'a connection');
      // Only has files read again, if there are any.
      gateway.child.kill('SIGHUP');
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
});
