import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Entry,
  joinPast,
  type OwnEvent,
  PAGE_LENGTH,
  type Past,
  withPage,
} from '../../src/session/history.ts';
import type { WireHistoryEntry } from '../../src/wire.ts';
import { joined as joinedPanel, overHttp, stopTime } from './support.ts';

/** Seconds; those of another computer's clock are one more. */
const own = (at: number, id: number, event: OwnEvent, state = 'CONNECTED'): Entry => ({
  at: at * 1000,
  id,
  event,
  state,
});
const kept = (at: number, event: string, state = 'CONNECTED'): WireHistoryEntry => ({
  at: at * 1000,
  event,
  state,
});

/** What a server answers whose clock is right. */
const pageOf = (entries: readonly WireHistoryEntry[]) => ({
  entries,
  clockOffset: 0,
  complete: entries.length < PAGE_LENGTH,
});

const past = (entries: readonly WireHistoryEntry[], more: Partial<Past> = {}): Past => ({
  ...withPage(undefined, pageOf(entries), 0),
  ...more,
});

/** What is shown, with the seconds. */
const joined = (page: readonly Entry[], server: Past) =>
  joinPast(page, server).map((entry) => `${entry.at / 1000} ${entry.event}`);

describe('the history of the page and the one of the server', () => {
  it('tell what both know as the server does', () => {
    const page = [own(100, 1, 'listed'), own(150, 2, 'disconnected', 'DESCONECTADO'), own(160, 3, 'ready')];
    const server = past([kept(161, 'ready'), kept(151, 'disconnected', 'DESCONECTADO'), kept(20, 'ready')], {
      requestedAfter: 3,
    });
    assert.deepEqual(joined(page, server), ['161 ready', '151 disconnected', '20 ready']);
  });

  it('keep what only the page knows', () => {
    const page = [own(100, 1, 'listed'), own(110, 2, 'accepted'), own(140, 3, 'notStarted')];
    assert.deepEqual(joined(page, past([kept(150, 'ready'), kept(20, 'ready')], { requestedAfter: 3 })), [
      '150 ready',
      '140 notStarted',
      '110 accepted',
      '20 ready',
    ]);
  });

  it('go on with what was pushed since', () => {
    const page = [own(100, 1, 'ready'), own(200, 2, 'disconnected', 'DESCONECTADO')];
    assert.deepEqual(joined(page, past([kept(100, 'ready')], { requestedAfter: 1 })), [
      '200 disconnected',
      '100 ready',
    ]);
  });

  it('have it once where the answer has it too, whenever it was pushed', () => {
    const page = [own(100, 1, 'ready'), own(200, 2, 'disconnected', 'DESCONECTADO')];
    for (const at of [196, 200, 204]) {
      const server = past([kept(at, 'disconnected', 'DESCONECTADO'), kept(100, 'ready')], {
        requestedAfter: 1,
      });
      assert.deepEqual(joined(page, server), [`${at} disconnected`, '100 ready']);
    }
  });

  it('have two events of one kind, however soon one follows the other', () => {
    const page = [own(200, 1, 'qr', 'AUTENTICANDO...'), own(201, 2, 'qr', 'AUTENTICANDO...')];
    for (const requestedAfter of [0, 1])
      assert.deepEqual(joined(page, past([kept(200, 'qr', 'AUTENTICANDO...')], { requestedAfter })), [
        '201 qr',
        '200 qr',
      ]);
    const both = [kept(201, 'qr', 'AUTENTICANDO...'), kept(200, 'qr', 'AUTENTICANDO...')];
    for (const requestedAfter of [0, 1, 2])
      assert.deepEqual(joined(page, past(both, { requestedAfter })), ['201 qr', '200 qr']);
  });

  it('take nothing for the same that has another state, or another time', () => {
    const page = [own(200, 1, 'change_state', 'OPENING'), own(300, 2, 'change_state', 'PAIRING')];
    const server = past([kept(294, 'change_state', 'PAIRING'), kept(200, 'change_state', 'TIMEOUT')], {
      requestedAfter: 0,
    });
    assert.equal(joined(page, server).length, 4);
  });

  it('leave no gap between them: what is older than the loaded entries waits for those before', () => {
    const page = [own(100, 1, 'listed'), own(110, 2, 'accepted'), own(300, 3, 'accepted')];
    const server = past([kept(290, 'ready')], { requestedAfter: 3, complete: false });
    assert.deepEqual(joined(page, server), ['300 accepted', '290 ready']);
  });

  it('have all that only the page knows once the server’s is complete', () => {
    const page = [own(100, 1, 'listed'), own(110, 2, 'accepted'), own(300, 3, 'ready')];
    assert.deepEqual(joined(page, past([kept(300, 'ready')], { requestedAfter: 3 })), [
      '300 ready',
      '110 accepted',
    ]);
    assert.deepEqual(joined(page, past([], { requestedAfter: 3 })), ['110 accepted']);
  });
});

describe('the pages of the server’s history', () => {
  const page = (from: number, length = PAGE_LENGTH) =>
    pageOf(Array.from({ length }, (_, index) => kept(from - index, 'ready')));

  it('follow one another until one is not full', () => {
    const first = withPage(undefined, page(1000), 7);
    const second = withPage(first, page(1000 - PAGE_LENGTH, 3), 7);
    assert.deepEqual([first.complete, second.complete, second.requestedAfter], [false, true, 7]);
    assert.deepEqual(
      second.entries.map(({ at }) => at / 1000),
      Array.from({ length: PAGE_LENGTH + 3 }, (_, index) => 1000 - index),
    );
    const ids = joinPast([], second).map(({ id }) => id);
    assert.equal(new Set(ids).size, PAGE_LENGTH + 3);
    assert.ok(ids.every((id) => id < 0));
  });

  it('end where a server answers the same again', () => {
    const first = withPage(undefined, page(1000), 0);
    const again = withPage(first, page(1000), 0);
    assert.deepEqual([again.entries.length, again.complete], [PAGE_LENGTH, true]);
  });

  describe('over a clock that is corrected meanwhile', () => {
    stopTime();
    const numero = '5491155550001';
    const expected = Array.from({ length: 2 * PAGE_LENGTH }, (_, index) => `e${index}`);

    // A list whose answer was on its way for three seconds; a computer whose clock is set by an hour.
    for (const shift of [-3_000, 3_000, -3_600_000, 3_600_000]) {
      it(`have every entry once, the newest first: ${shift} ms`, async () => {
        let ahead = 0;
        const { store, listener } = await joinedPanel(
          [],
          pastServer(Date.now(), () => Date.now() + ahead),
        );
        listener.extensions(new Set(['history']));
        await store.refresh();
        const first = withPage(undefined, await store.loadHistory(numero), 0);
        ahead = shift;
        await store.refresh();
        const second = withPage(first, await store.loadHistory(numero, first.entries.at(-1)?.at), 0);
        assert.deepEqual(
          joinPast([], second).map(({ event }) => event),
          expected,
        );
        assert.equal(second.complete, false);
      });
    }

    /** A server that remembers an entry for each second before it began, `e0` being the newest. */
    function pastServer(begun: number, clock: () => number) {
      const all = Array.from({ length: 3 * PAGE_LENGTH }, (_, index) => ({
        at: begun - 1_000 * (index + 1),
        event: `e${index}`,
        state: 'CONNECTED',
      }));
      return overHttp((request) => {
        const headers = { Date: new Date(clock()).toUTCString() };
        const { pathname, searchParams } = new URL(request.url);
        if (pathname.endsWith('/sessions')) return Response.json([], { headers });
        const before = Number(searchParams.get('before') ?? Infinity);
        return Response.json(all.filter(({ at }) => at < before).slice(0, PAGE_LENGTH), { headers });
      });
    }
  });
});
