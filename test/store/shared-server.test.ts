import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { News, Tell } from '../../src/server/connection.ts';
import type { Result, Server, Token } from '../../src/server/server.ts';
import { joinServer } from '../../src/server/shared-server.ts';
import { NO_DETAILS, type Push } from '../../src/session/session.ts';
import { held, settled } from './support.ts';

const FIRST = '5215550001111';
const SECOND = '5215550002222';

const CONNECTED: News = { type: 'connection', connected: true };
const LOST: News = { type: 'connection', connected: false };
const ANNOUNCED: News = { type: 'extensions', words: new Set(['details']), notifies: undefined };
const PERMITTED: News = { type: 'permissions', words: new Set(['codes']) };
const LOADING: News = { type: 'loading' };
const ready = (numero: string): Push => ({ type: 'ready', numero });

/** A list of these sessions. */
const listOf = (...numeros: string[]): Result => ({
  list: numeros.map((numero) => ({
    session: { numero, state: 'CONNECTED', waiting: false },
    details: NO_DETAILS,
  })),
});

/** The names of the news that were told. */
const types = (told: readonly News[]) => told.map(({ type }) => type);

let addresses = 0;

/** An address of its own, at which servers of no network are created. */
function place() {
  addresses += 1;
  const address = `http://server${addresses}.example`;
  const created: { readonly token: () => Token | undefined; tell?: Tell; isLeft?: boolean }[] = [];
  /** The requests for the list that are under way, and for each that came whether it was aborted. */
  const lists = held<Result>();
  const signals: AbortSignal[] = [];
  const others: unknown[][] = [];

  const create = (token: () => Token | undefined): Server => {
    const one: (typeof created)[number] = { token };
    created.push(one);
    return {
      call(name, about, body, signal) {
        if (name === 'fetch') {
          signals.push(signal);
          return lists.call(about, signal);
        }
        others.push([name, about, body, signal]);
        return Promise.resolve({ notice: 'done' });
      },
      connect(tell) {
        one.tell = tell;
        return () => {
          one.isLeft = true;
        };
      },
    };
  };

  /** A member that shows this session, and what it is told. */
  function join(numero: string, token: () => Token | undefined = () => undefined) {
    const server = joinServer(address, { numero, token }, create);
    const told: News[] = [];
    const leave = server.connect((news) => told.push(news));
    return {
      server,
      told,
      leave,
      /** Asks for the list; `retry` gives it up, as a panel does that asks again. */
      load() {
        const controller = new AbortController();
        const answer = server.call('fetch', '', {}, controller.signal);
        const numeros = answer.then(
          ({ list }) => list?.map(({ session }) => session.numero),
          (error: Error) => error.message,
        );
        return { numeros, retry: () => controller.abort(new Error('asked again')) };
      },
    };
  }

  return {
    join,
    created,
    lists,
    signals,
    others,
    tell(...all: News[]): void {
      for (const news of all) created.at(-1)?.tell?.(news);
    },
  };
}

describe('a shared server', () => {
  it('is created for the first, joined by those of the same address and token, and left by the last', () => {
    const { join, created } = place();
    const token = () => 'de Ana';
    const members = [join(FIRST, () => token), join(SECOND, () => token), join(SECOND, () => token)];
    assert.equal(created.length, 1);
    join(FIRST, () => 'de Eva');
    join(FIRST);
    assert.equal(created.length, 3);
    const [shared] = created;
    members[0]?.leave();
    members[1]?.leave();
    assert.equal(shared?.isLeft, undefined);
    members[2]?.leave();
    assert.equal(shared?.isLeft, true);
    join(FIRST, () => token);
    assert.equal(created.length, 4);
    place().join(FIRST, () => token);
    assert.equal(created.length, 4);
  });

  it('takes the token of those who are still there', () => {
    const { join, created } = place();
    const first = join(FIRST, () => 'de Ana');
    const second = join(SECOND, () => 'de Ana');
    second.leave();
    assert.equal(created[0]?.token(), 'de Ana');
    first.leave();
    assert.equal(created[0]?.token(), undefined);
  });

  it('tells each only of its own session, and all of the rest', async () => {
    const { join, tell } = place();
    const [first, second] = [join(FIRST), join(SECOND)];
    await settled();
    tell(CONNECTED, ready(FIRST), ready(SECOND), ready('5215550003333'), LOST);
    assert.deepEqual(first.told, [CONNECTED, ready(FIRST), LOST]);
    assert.deepEqual(second.told, [CONNECTED, ready(SECOND), LOST]);
  });

  it('tells who joins later once what is the case, in order, but no push of before', async () => {
    const { join, tell } = place();
    const first = join(FIRST);
    await settled();
    tell(LOST, CONNECTED, ANNOUNCED, PERMITTED, ready(SECOND));
    const second = join(SECOND);
    assert.deepEqual(second.told, [], 'not while it is being created');
    await settled();
    assert.deepEqual(second.told, [CONNECTED, ANNOUNCED, PERMITTED]);
    assert.deepEqual(first.told, [LOST, CONNECTED, ANNOUNCED, PERMITTED], 'nothing twice');
    tell(ready(SECOND));
    assert.deepEqual(second.told.at(-1), ready(SECOND));
  });

  it('tells who joins later of no announcement that the last connection has not made', async () => {
    const { join, tell } = place();
    join(FIRST);
    await settled();
    tell(CONNECTED, ANNOUNCED, PERMITTED, LOST, CONNECTED, ANNOUNCED);
    const second = join(SECOND);
    await settled();
    assert.deepEqual(types(second.told), ['connection', 'extensions']);
  });

  it('tells nothing to who has left', async () => {
    const { join, tell } = place();
    const [first, second] = [join(FIRST), join(SECOND)];
    await settled();
    first.leave();
    tell(CONNECTED, ready(FIRST));
    assert.deepEqual(first.told, []);
    assert.deepEqual(second.told, [CONNECTED]);
  });

  it('tells nothing to who has left before it was told of what is the case', async () => {
    const { join, tell } = place();
    join(FIRST);
    tell(CONNECTED);
    const second = join(SECOND);
    second.leave();
    await settled();
    assert.deepEqual(second.told, []);
  });

  it('has any other call made as it is, for each', async () => {
    const { join, others } = place();
    const { signal } = new AbortController();
    const body = { to: '1', text: 'Hola' };
    for (const { server } of [join(FIRST), join(SECOND)])
      assert.deepEqual(await server.call('send', FIRST, body, signal), { notice: 'done' });
    assert.deepEqual(others, [
      ['send', FIRST, body, signal],
      ['send', FIRST, body, signal],
    ]);
  });
});

describe('the list of a shared server', () => {
  it('is asked for once while it is under way, and each has its own session of it', async () => {
    const { join, lists } = place();
    const loads = [join(FIRST).load(), join(SECOND).load(), join('5215550003333').load()];
    assert.equal(lists.asked.length, 1);
    await lists.answer(listOf(FIRST, SECOND));
    const shown = await Promise.all(loads.map(({ numeros }) => numeros));
    assert.deepEqual(shown, [[FIRST], [SECOND], []]);
    join(FIRST).load();
    assert.equal(lists.asked.length, 2, 'asked for again once it has come');
  });

  it('has the others told when one asks for it, but not who takes part', async () => {
    const { join } = place();
    const [first, second] = [join(FIRST), join(SECOND)];
    await settled();
    first.load();
    assert.deepEqual(first.told, []);
    assert.deepEqual(second.told, [LOADING]);
    second.load();
    assert.deepEqual(first.told, []);
  });

  it('that fails has failed for all, and is asked for again', async () => {
    const { join, lists } = place();
    const loads = [join(FIRST).load(), join(SECOND).load()];
    await lists.answer(new Error('No hay memoria'));
    for (const { numeros } of loads) assert.equal(await numeros, 'No hay memoria');
    join(FIRST).load();
    assert.equal(lists.asked.length, 2);
  });

  it('that hangs is given up for all when one asks again, and all have the next one', async () => {
    const { join, lists, signals } = place();
    const [first, second] = [join(FIRST), join(SECOND)];
    const loads = [first.load(), second.load()];
    loads[1]?.retry();
    assert.equal(signals[0]?.aborted, true);
    const again = [second.load(), first.load()];
    assert.equal(lists.asked.length, 2);
    await settled();
    await lists.answer(listOf(FIRST, SECOND));
    assert.deepEqual(await again[0]?.numeros, [SECOND]);
    assert.deepEqual(await again[1]?.numeros, [FIRST]);
    for (const { numeros } of loads) assert.match(String(await numeros), /abort/i);
  });

  it('goes on when who asked for it leaves, and ends with the last one', async () => {
    const { join, lists, signals } = place();
    const [first, second] = [join(FIRST), join(SECOND)];
    const [own, other] = [first.load(), second.load()];
    first.leave();
    own.retry();
    assert.equal(signals[0]?.aborted, false);
    await lists.answer(listOf(FIRST, SECOND));
    assert.deepEqual(await other.numeros, [SECOND]);
    second.load();
    second.leave();
    assert.equal(signals[1]?.aborted, true);
  });

  it('that was asked for before a connection is not the one of after it', async () => {
    const { join, lists, tell } = place();
    const [first, second] = [join(FIRST), join(SECOND)];
    await settled();
    const before = first.load();
    tell(CONNECTED);
    const after = [first.load(), second.load()];
    assert.equal(lists.asked.length, 2);
    await lists.answer(listOf());
    assert.deepEqual(await before.numeros, []);
    const third = second.load();
    assert.equal(lists.asked.length, 2, 'the end of the older one is not that of the newer');
    await lists.answer(listOf(FIRST, SECOND));
    assert.deepEqual(await after[0]?.numeros, [FIRST]);
    assert.deepEqual(await after[1]?.numeros, [SECOND]);
    assert.deepEqual(await third.numeros, [SECOND]);
  });

  it('is not given up with an older one', async () => {
    const { join, lists, signals, tell } = place();
    const first = join(FIRST);
    await settled();
    const older = first.load();
    tell(CONNECTED);
    const newer = first.load();
    older.retry();
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
    assert.match(String(await older.numeros), /abort/i);
    await lists.answer(listOf(FIRST));
    assert.deepEqual(await newer.numeros, [FIRST]);
  });

  it('is not joined with a token that it did not begin with, nor with one that its members no longer have', () => {
    const { join, created } = place();
    let token = 'de Ana';
    join(FIRST, () => token);
    token = 'de Eva';
    join(SECOND, () => 'de Eva');
    join(SECOND, () => 'de Ana');
    assert.equal(created.length, 3);
  });

  it('asks anew for one that joins, where a push about its session came since the list was asked for', async () => {
    const { join, signals, tell } = place();
    join(FIRST).load();
    await settled();
    join(FIRST).load();
    assert.equal(signals.length, 1);
    tell(ready(SECOND));
    join(SECOND).load();
    assert.equal(signals.length, 2);
  });

  it('leaves no request under way when the last has left, also not one from before a connection', async () => {
    const { join, signals, tell } = place();
    const member = join(FIRST);
    member.load();
    await settled();
    tell(CONNECTED);
    member.load();
    member.leave();
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, true],
    );
  });
});
