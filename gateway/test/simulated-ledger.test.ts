import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { STATES } from '../../src/wire.ts';
import { SimulatedPhones } from '../src/engines/simulated/phones.ts';
import { createSeeds, LINKED, seedRows } from '../src/engines/simulated/seeds.ts';
import { numeroKey } from '../src/numbers.ts';
import { ManualClock } from './support/manual-clock.ts';
import { MemoryStore } from './support/memory-store.ts';

const NUMERO = '5215550001111';
const OTHER = '34600000001';

/** A gateway's engine, with what it has reported. */
class Owner {
  readonly clock = new ManualClock();
  readonly phones: SimulatedPhones;
  readonly heard: string[] = [];

  constructor(store: MemoryStore) {
    this.phones = new SimulatedPhones(this.clock, async () => store);
  }

  async start(numero = NUMERO): Promise<void> {
    await this.phones.start(numero, ({ type }) => this.heard.push(type));
  }

  async resume(numeros: readonly string[] = [NUMERO]): Promise<void> {
    await this.phones.resume(numeros, (numero) => {
      this.heard.push(`begin ${numero}`);
      return ({ type }) => this.heard.push(type);
    });
  }

  scan(): void {
    this.phones.phone(NUMERO).scan(this.phones.get(NUMERO)?.code ?? assert.fail('there is no code to scan'));
  }

  /** Starts the session of {@link NUMERO} and links its phone. */
  async link(): Promise<void> {
    await this.start();
    this.pass(1_000);
    this.scan();
    await turn();
    this.pass(1_500);
  }

  pass(ms: number): void {
    this.clock.advance(ms);
  }
}

describe('simulated phones and their ledger', () => {
  let store: MemoryStore;
  let first: Owner;
  let second: Owner;

  beforeEach(async () => {
    store = new MemoryStore();
    first = new Owner(store);
    second = new Owner(store);
    for (const { phones } of [first, second]) await phones.restore(assert.fail);
  });

  test('one that showed a code is disconnected, and shows none unasked', async () => {
    await first.start();
    first.pass(1_000);
    await second.resume();
    second.pass(600_000);
    assert.deepEqual(second.heard, [`begin ${NUMERO}`, 'disconnected']);
  });

  test('one that the operators unlinked needs a code, and its link is gone from the store', async () => {
    await first.link();
    store.hold();
    const unlinked = first.phones.unlink(NUMERO);
    await turn();
    assert.equal(first.heard.at(-1), 'name');
    store.letGo();
    await unlinked;
    assert.equal(first.heard.at(-1), 'disconnected');
    await assert.rejects(first.phones.unlink(NUMERO), { name: 'NotLinked' });
    await first.phones.release(NUMERO);
    await second.resume();
    await second.start();
    second.pass(1_000);
    assert.deepEqual(second.heard, [`begin ${NUMERO}`, 'disconnected', 'qr']);
  });

  test('one that was released while it was unlinked is left to the next gateway', async () => {
    await first.link();
    store.hold();
    const unlinked = first.phones.unlink(NUMERO);
    const released = first.phones.release(NUMERO);
    store.letGo();
    await Promise.all([unlinked, released]);
    assert.equal(first.heard.at(-1), 'name');
    await second.start();
    second.pass(1_000);
    assert.deepEqual(second.heard, ['qr']);
  });

  test('ready is reported when the link is in the store, and in order with what follows', async () => {
    await first.start();
    first.pass(1_000);
    store.hold();
    first.scan();
    first.pass(1_500);
    first.phones.phone(NUMERO).loseLine();
    await turn();
    assert.deepEqual(first.heard, ['qr', 'authenticated']);
    store.letGo();
    await turn();
    assert.deepEqual(first.heard, ['qr', 'authenticated', 'ready', 'name', 'state']);
  });

  test('one that was released reports nothing more, and its phone is gone', async () => {
    await first.start();
    await first.phones.release(NUMERO);
    first.pass(600_000);
    assert.deepEqual(first.heard, []);
    assert.equal(first.clock.pending, 0);
    assert.equal(first.phones.get(NUMERO), undefined);
    assert.deepEqual(
      store.sessions().map(({ numero }) => numero),
      [NUMERO],
    );
  });

  test('a release waits for what is being written', async () => {
    await first.start();
    first.pass(1_000);
    store.hold();
    first.scan();
    let isReleased = false;
    const released = first.phones.release(NUMERO).then(() => {
      isReleased = true;
    });
    await turn();
    assert.equal(isReleased, false);
    store.letGo();
    await released;
    await second.resume();
    second.pass(1_000);
    assert.deepEqual(second.heard, [`begin ${NUMERO}`, 'ready', 'name']);
  });

  test('a deletion that another gateway began is resumed, and a start waits for it', async () => {
    await first.link();
    await store.leave(NUMERO);
    store.hold();
    await second.resume();
    const started = second.start();
    await turn();
    store.letGo();
    await started;
    second.pass(1_000);
    assert.deepEqual(second.heard, ['qr']);
  });

  test('a slow deletion ends when its number is released, and leaves the next phone alone', async () => {
    await first.link();
    first.phones.setFault(NUMERO, 'slow-delete');
    const removed = first.phones.remove(NUMERO);
    await turn();
    await first.phones.release(NUMERO);
    await first.start();
    await removed;
    assert.ok(first.phones.get(NUMERO));
  });

  test('what cannot be stored rejects', async () => {
    await first.link();
    store.isBroken = true;
    await assert.rejects(first.start(OTHER), { name: 'StoreError' });
    await assert.rejects(first.phones.remove(NUMERO), { name: 'StoreError' });
    await assert.rejects(first.phones.unlink(NUMERO), { name: 'StoreError' });
    assert.equal(first.phones.get(NUMERO)?.state, 'connected');
  });

  test('a link that could not be stored is stored with the next change of its phone', async () => {
    await first.start();
    first.pass(1_000);
    store.isBroken = true;
    first.scan();
    await turn();
    store.isBroken = false;
    first.pass(1_500);
    await first.phones.release(NUMERO);
    await second.resume();
    second.pass(1_000);
    assert.deepEqual(second.heard, [`begin ${NUMERO}`, 'ready', 'name']);
  });

  test('after the end nothing runs or starts', async () => {
    await first.link();
    await first.start();
    await first.phones.close();
    assert.equal(first.clock.pending, 0);
    assert.equal(store.isOpen, false);
    await assert.rejects(first.start(OTHER), /closed/);
  });
});

describe('the rows of seeds', () => {
  test('say who is linked, and nothing of codes', () => {
    const seeds = [
      { numero: '1', state: 'connected' },
      { numero: '2', state: 'qr' },
      { numero: '3', state: 'linking' },
      { numero: '4', state: 'waiting' },
      { numero: '5', state: 'disconnected', reported: 'UNPAIRED' },
    ] as const;
    assert.deepEqual(seedRows(seeds), [
      { numero: '1', credentials: LINKED, state: STATES.authenticating },
      { numero: '2', credentials: undefined, state: STATES.disconnected },
      { numero: '3', credentials: LINKED, state: STATES.authenticating },
      { numero: '4', credentials: undefined, state: STATES.disconnected },
      { numero: '5', credentials: undefined, state: STATES.disconnected },
    ]);
  });

  test('are of different numbers', () => {
    const keys = new Set(createSeeds(5_000).map(({ numero }) => numeroKey(numero)));
    assert.equal(keys.size, 5_000);
  });
});
