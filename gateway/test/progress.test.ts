import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, type TestContext, test } from 'node:test';
import { mockTimers } from '../../test/support/mock-timers.ts';
import { counted, withProgress } from '../src/progress.ts';

/** A stream that is a terminal if it has columns, and a clock that stands still until it is moved. */
function startLab(t: TestContext, columns?: number) {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  mockTimers(t.mock, { apis: ['setInterval'] });
  const writes: string[] = [];
  const stream = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        writes.push(String(chunk));
        done();
      },
    }),
    { isTTY: columns !== undefined, columns: columns ?? 0 },
  );
  return {
    writes,
    stream,
    pass(ms: number) {
      now += ms;
      t.mock.timers.tick(ms);
    },
    /** Passes time while the process is too busy for timers. */
    work(ms: number) {
      now += ms;
    },
  };
}

const SESSIONS = Array.from({ length: 5_000 }, (_, index) => index);

describe('the progress of long work', () => {
  test('on a terminal is one line, rewritten ten times a second and gone at the end', async (t) => {
    const { writes, stream, work } = startLab(t, 80);
    const result = await withProgress(async (report) => {
      for (const _ of counted(SESSIONS, 'read', report)) work(1);
      assert.equal(writes.length, 40);
      return 'done';
    }, stream);
    assert.equal(result, 'done');
    assert.equal(writes[0], '\r1000 of 5000 sessions read\x1b[K');
    assert.equal(writes[1], '\r1100 of 5000 sessions read\x1b[K');
    assert.deepEqual(writes.slice(40), ['\r\x1b[K']);
  });

  test('elsewhere is a line every five seconds', async (t) => {
    const { writes, stream, work } = startLab(t);
    await withProgress(async (report) => {
      for (const _ of counted(SESSIONS, 'written', report)) work(3);
    }, stream);
    assert.deepEqual(writes, [
      '334 of 5000 sessions written\n',
      '2001 of 5000 sessions written\n',
      '3668 of 5000 sessions written\n',
    ]);
  });

  for (const columns of [undefined, 80]) {
    test(`is not shown if it ends within a second (columns: ${columns})`, async (t) => {
      const { writes, stream, pass } = startLab(t, columns);
      await withProgress(async (report) => {
        for (const _ of counted(SESSIONS.slice(0, 9), 'read', report)) pass(100);
      }, stream);
      assert.deepEqual(writes, []);
    });
  }

  test('is shown while one step takes long, and says how far that is', async (t) => {
    const { writes, stream, pass } = startLab(t, 80);
    await withProgress(async (report) => {
      let copied = 0;
      report(() => `${copied} MB copied`);
      pass(1_000);
      copied = 7;
      pass(100);
      // Nothing new.
      pass(100);
    }, stream);
    assert.deepEqual(writes, ['\r0 MB copied\x1b[K', '\r7 MB copied\x1b[K', '\r\x1b[K']);
  });

  for (const [columns, text] of [
    [12, '0 of 5000 s'],
    [1, ''],
    // A terminal that does not know.
    [0, '0 of 5000 sessions encrypted'],
  ] as const) {
    test(`does not wrap on a terminal of ${columns} columns`, async (t) => {
      const { writes, stream, pass } = startLab(t, columns);
      await withProgress(async (report) => {
        counted(SESSIONS, 'encrypted', report).next();
        pass(1_000);
      }, stream);
      assert.deepEqual(writes, [`\r${text}\x1b[K`, '\r\x1b[K']);
    });
  }

  test('leaves an empty line for the sentence of an error', async (t) => {
    const { writes, stream, pass } = startLab(t, 80);
    const failing = withProgress(async (report) => {
      report(() => 'Checking the backup');
      pass(1_000);
      throw new Error('damaged');
    }, stream);
    await assert.rejects(failing, { message: 'damaged' });
    assert.deepEqual(writes, ['\rChecking the backup\x1b[K', '\r\x1b[K']);
  });

  test('does not end the work where it cannot be written, as into a closed pipe', async (t) => {
    const { stream, pass } = startLab(t);
    const ended = await withProgress(async (report) => {
      report(() => 'Checking the backup');
      stream.destroy(new Error('EPIPE'));
      await new Promise(setImmediate);
      pass(1_000);
      return true;
    }, stream);
    assert.equal(ended, true);
  });
});
