import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { until } from '../../test/support/until.ts';
import { WriteError } from '../src/sessions/errors.ts';
import { HistoryWriter } from '../src/sessions/history-writer.ts';
import type { NewEntry } from '../src/store/archive.ts';
import { MemoryArchive } from '../src/store/memory-archive.ts';

const NUMERO = '5215550001111';
const OTHER = '34600000001';

/** An archive on a disk that can be full. */
class FullArchive extends MemoryArchive {
  isFull = false;
  attempts = 0;

  override async record(entries: readonly NewEntry[]): Promise<void> {
    this.attempts += 1;
    if (this.isFull) throw new WriteError('No space', 'write-archive', NUMERO, 'SQLITE_FULL');
    await super.record(entries);
  }
}

describe('what happens to sessions', () => {
  let archive: FullArchive;
  let writer: HistoryWriter;

  beforeEach(() => {
    archive = new FullArchive();
    writer = new HistoryWriter(() => archive);
  });

  const add = (state: string, numero = NUMERO) => writer.add(numero, { event: 'change_state', state });
  const statesOf = async (numero = NUMERO) =>
    (await archive.history(numero, 10)).map(({ state }) => state).reverse();

  test('is written at once, however much there is, and each at a time of its own', async () => {
    for (let index = 0; index < 10; index++) add(String(index));
    add('0', OTHER);
    await writer.written();
    assert.equal(archive.attempts, 1);
    const history = await archive.history(NUMERO, 100);
    assert.equal(history.length, 10);
    assert.equal(new Set(history.map(({ at }) => at)).size, 10);
    assert.deepEqual(await statesOf(OTHER), ['0']);
  });

  test('is written when somebody asks, also if it came while the one before was written', async () => {
    add('a');
    const first = writer.written();
    add('b');
    await first;
    await writer.written();
    assert.deepEqual(await statesOf(), ['a', 'b']);
  });

  test('holds nobody up on a full disk, and is written when there is space, in order', async () => {
    archive.isFull = true;
    add('a');
    await writer.written();
    assert.deepEqual(await statesOf(), []);
    add('b');
    await writer.written();
    assert.deepEqual(await statesOf(), []);
    archive.isFull = false;
    await until(async () => (await statesOf()).length === 2, 'both');
    assert.deepEqual(await statesOf(), ['a', 'b']);
  });

  test('is given up at the end on a full disk', async () => {
    archive.isFull = true;
    add('a');
    await writer.written();
    await writer.close();
    const { attempts } = archive;
    archive.isFull = false;
    add('b');
    await writer.written();
    assert.ok(archive.attempts <= attempts + 1);
  });

  test('is forgotten with its session, also what could not be written', async () => {
    archive.isFull = true;
    add('a');
    add('a', OTHER);
    await writer.written();
    writer.forget(NUMERO);
    archive.isFull = false;
    await until(async () => (await statesOf(OTHER)).length === 1, 'the other');
    assert.deepEqual(await statesOf(), []);
  });

  test('is no news if it is what it was', async () => {
    add('a');
    add('a');
    add('b');
    add('a');
    await writer.written();
    assert.deepEqual(await statesOf(), ['a', 'b', 'a']);
  });
});
