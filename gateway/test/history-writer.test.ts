import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { until } from '../../test/support/until.ts';
import type { NewEntry } from '../src/ledger/archive.ts';
import { WriteError } from '../src/sessions/errors.ts';
import { HistoryWriter } from '../src/sessions/history-writer.ts';
import { MemoryLedger } from './support/memory-ledger.ts';

const NUMERO = '5215550001111';
const OTHER = '34600000001';

/** An archive on a disk that can be full. */
class FullArchive extends MemoryLedger {
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

  test('is written before the writer closes', async () => {
    add('a');
    await writer.close();
    assert.deepEqual(await statesOf(), ['a']);
  });

  test('has its reason, and is recorded again with a different one', async () => {
    const fall = { event: 'disconnected', state: 'DESCONECTADO' };
    const replaced = { ...fall, detail: 'Otra computadora usa esta sesión', code: 'replaced' };
    const loggedOut = { ...fall, detail: 'Se cerró en el teléfono', code: 'logged-out' };
    for (const entry of [fall, replaced, loggedOut]) writer.add(NUMERO, entry);
    await writer.written();
    const history = (await archive.history(NUMERO, 10)).reverse();
    assert.deepEqual(
      history.map(({ at: _, ...entry }) => entry),
      [fall, replaced, loggedOut],
    );
  });

  test('is at most 5,000 entries on a full disk: the oldest go', async () => {
    archive.isFull = true;
    const addFrom = (first: number, next: number) => {
      for (let index = first; index < next; index++) add('a', String(index));
    };
    addFrom(0, 5_002);
    await writer.written();
    addFrom(5_002, 5_004);
    archive.isFull = false;
    await until(async () => (await statesOf('5003')).length === 1, 'the last');
    const kept = await Promise.all(['3', '4'].map(statesOf));
    assert.deepEqual(kept, [[], ['a']]);
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

  test('is not recorded if it is unchanged', async () => {
    add('a');
    add('a');
    add('b');
    add('a');
    await writer.written();
    assert.deepEqual(await statesOf(), ['a', 'b', 'a']);
  });
});
