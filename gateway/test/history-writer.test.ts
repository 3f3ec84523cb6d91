import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { WireListItem } from '../../src/wire.ts';
import { until } from '../../test/support/until.ts';
import type { NewEntry } from '../src/ledger/archive.ts';
import { StoreError } from '../src/ledger/store-error.ts';
import { BatchWriter } from '../src/sessions/batch-writer.ts';
import { historyWriter } from '../src/sessions/history-writer.ts';
import { SessionRecord } from '../src/sessions/record.ts';
import { MemoryLedger } from './support/memory-ledger.ts';

const NUMERO = '5215550001111';
const OTHER = '34600000001';

/** An archive on a disk that can be full. */
class FullArchive extends MemoryLedger {
  isFull = false;
  /** Resolves when attempts end. */
  held: Promise<void> = Promise.resolve();
  attempts = 0;

  override async record(entries: readonly NewEntry[]): Promise<void> {
    this.attempts += 1;
    const { isFull } = this;
    await this.held;
    if (isFull) throw new StoreError('write-archive', NUMERO, 'SQLITE_FULL');
    await super.record(entries);
  }
}

/** The histories of sessions that a test makes up. */
class Histories {
  readonly writer;
  readonly #archive: FullArchive;
  readonly #sessions = new Map<
    string,
    { shown: WireListItem; record: SessionRecord; life: { isOver: boolean } }
  >();

  constructor(archive: FullArchive) {
    this.#archive = archive;
    this.writer = historyWriter(() => archive);
  }

  add(numero: string, event: string, state: string, reason?: WireListItem['reason']): void {
    const session = this.#sessions.get(numero) ?? this.#create(numero);
    Object.assign(session.shown, { state, reason });
    session.record.note(event);
  }

  forget(numero: string): void {
    const session = this.#sessions.get(numero);
    if (session) session.life.isOver = true;
    this.#sessions.delete(numero);
  }

  #create(numero: string) {
    const life = { isOver: false };
    const shown: WireListItem = { numero, state: '', waiting: false };
    const record = new SessionRecord({
      numero,
      ledger: () => this.#archive,
      history: this.writer,
      life,
      name: 'gateway',
      proxy: () => undefined,
      listing: { shown, tell() {} },
    });
    const session = { shown, record, life };
    this.#sessions.set(numero, session);
    return session;
  }
}

describe('what happens to sessions', () => {
  let archive: FullArchive;
  let histories: Histories;

  beforeEach(async () => {
    archive = new FullArchive();
    await archive.addAll([NUMERO, OTHER]);
    histories = new Histories(archive);
  });

  const add = (state: string, numero = NUMERO) => histories.add(numero, 'change_state', state);
  const statesOf = async (numero = NUMERO) =>
    (await archive.history(numero, 10)).map(({ state }) => state).reverse();

  test('is written at once, however much there is, and each at a time of its own', async () => {
    for (let index = 0; index < 10; index++) add(String(index));
    add('0', OTHER);
    await histories.writer.flush();
    assert.equal(archive.attempts, 1);
    const history = await archive.history(NUMERO, 100);
    assert.equal(history.length, 10);
    assert.equal(new Set(history.map(({ at }) => at)).size, 10);
    assert.deepEqual(await statesOf(OTHER), ['0']);
  });

  test('is written when somebody asks, also if it came while the one before was written', async () => {
    add('a');
    const first = histories.writer.flush();
    add('b');
    await first;
    await histories.writer.flush();
    assert.deepEqual(await statesOf(), ['a', 'b']);
  });

  test('holds nobody up on a full disk, and is written when there is space, in order', async () => {
    archive.isFull = true;
    add('a');
    await histories.writer.flush();
    assert.deepEqual(await statesOf(), []);
    add('b');
    await histories.writer.flush();
    assert.deepEqual(await statesOf(), []);
    archive.isFull = false;
    await until(async () => (await statesOf()).length === 2, 'both');
    assert.deepEqual(await statesOf(), ['a', 'b']);
  });

  test('is written before the writer closes', async () => {
    add('a');
    await histories.writer.close();
    assert.deepEqual(await statesOf(), ['a']);
  });

  test('has its reason, and is recorded again with a different one', async () => {
    const fall = { event: 'disconnected', state: 'DESCONECTADO' };
    const replaced = { ...fall, detail: 'Otra computadora usa esta sesión.', code: 'replaced' };
    const loggedOut = { ...fall, detail: 'Se cerró en el teléfono', code: 'logged-out' };
    histories.add(NUMERO, fall.event, fall.state);
    for (const { event, state, detail, code } of [replaced, loggedOut]) {
      histories.add(NUMERO, event, state, { code, text: detail });
    }
    await histories.writer.flush();
    const history = (await archive.history(NUMERO, 10)).reverse();
    assert.deepEqual(
      history.map(({ at: _, ...entry }) => entry),
      [fall, replaced, loggedOut],
    );
  });

  test('is at most 5,000 entries on a full disk: the oldest go', async () => {
    await archive.addAll(['3', '4', '5003']);
    archive.isFull = true;
    const addFrom = (first: number, next: number) => {
      for (let index = first; index < next; index++) add('a', String(index));
    };
    addFrom(0, 5_002);
    await histories.writer.flush();
    addFrom(5_002, 5_004);
    archive.isFull = false;
    await until(async () => (await statesOf('5003')).length === 1, 'the last');
    const kept = await Promise.all(['3', '4'].map(statesOf));
    assert.deepEqual(kept, [[], ['a']]);
  });

  test('is given up at the end on a full disk', async () => {
    archive.isFull = true;
    add('a');
    await histories.writer.flush();
    await histories.writer.close();
    const { attempts } = archive;
    archive.isFull = false;
    add('b');
    await histories.writer.flush();
    assert.ok(archive.attempts <= attempts + 1);
  });

  test('is forgotten with its session, also what could not be written', async () => {
    archive.isFull = true;
    add('a');
    add('a', OTHER);
    await histories.writer.flush();
    histories.forget(NUMERO);
    archive.isFull = false;
    await until(async () => (await statesOf(OTHER)).length === 1, 'the other');
    assert.deepEqual(await statesOf(), []);
  });

  test('is not passed on to a new session of that number, even if it was being written', async () => {
    archive.isFull = true;
    let end = () => {};
    archive.held = new Promise((resolve) => {
      end = resolve;
    });
    add('a');
    await until(() => archive.attempts === 1, 'the attempt');
    histories.forget(NUMERO);
    add('b');
    archive.isFull = false;
    end();
    await until(async () => (await statesOf()).length > 0, 'the new one');
    assert.deepEqual(await statesOf(), ['b']);
  });

  test('is not recorded if it is unchanged', async () => {
    add('a');
    add('a');
    add('b');
    add('a');
    await histories.writer.flush();
    assert.deepEqual(await statesOf(), ['a', 'b', 'a']);
  });
});

test('a batch that cannot be written at all is lost alone', async () => {
  const written: string[] = [];
  const writer = new BatchWriter<string>(
    async (items) => {
      if (items.includes('broken')) throw new Error('broken');
      written.push(...items);
      return [];
    },
    { interval: 1, retry: 1, most: 10 },
  );
  writer.add('broken');
  const flushed = writer.flush();
  const closed = writer.close();
  await Promise.resolve();
  writer.add('whole');
  await assert.rejects(closed, /broken/);
  await flushed;
  await writer.flush();
  writer.add('later');
  await writer.flush();
  assert.deepEqual(written, ['whole', 'later']);
});
