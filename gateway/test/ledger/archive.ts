import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WireHistoryEntry } from '../../../src/wire.ts';
import type { Scope } from '../../../test/support/scope.ts';
import { KEPT } from '../../src/ledger/archive.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { tokenHash } from '../../src/sessions/links.ts';
import { NUMEROS } from './support/stores.ts';

const [NUMERO, OTHER] = NUMEROS;
const HOUR = 60 * 60_000;
const HASH = tokenHash('a-token');

/** An archive of a process that owns the sessions of {@link NUMEROS}. */
export interface ArchiveLab {
  readonly archive: Ledger;
  /** Removes a session, and adds it again. */
  renew(numero: string): Promise<void>;
  /** The process has ended; another one has the sessions. */
  reopen(): Promise<Ledger>;
  /** Makes every write fail as on a full disk, until the returned function is called. */
  fill(): Promise<() => Promise<void>>;
  /** The sentences of the operator log. */
  readonly printed: readonly string[];
}

/** Returns so many entries, an hour apart from another, the oldest first; the last one is of this moment. */
function entries(count: number): WireHistoryEntry[] {
  const now = Date.now();
  return Array.from({ length: count }, (_, index) => {
    const at = now - (count - 1 - index) * HOUR;
    return index % 2 === 0
      ? { at, event: 'ready', state: 'CONNECTED' }
      : { at, event: 'disconnected', state: 'DESCONECTADO', detail: 'Ñandú', code: 'logged-out' };
  });
}

const of = (numero: string, list: readonly WireHistoryEntry[]) => list.map((entry) => ({ numero, entry }));

/** What every archive does. */
export function archiveTests(startLab: (scope: Scope) => Promise<ArchiveLab>): void {
  test('a session is called what was written last, and others are not', async (t) => {
    const { archive, reopen } = await startLab(t);
    assert.deepEqual(archive.profile(NUMERO), {});
    await archive.describe(NUMERO, { name: 'Ana', label: 'Ventas 😀', group: 'México' });
    await archive.describe(NUMERO, { name: 'Ana', label: undefined, group: "D'Or" });
    const again = await reopen();
    const { name, label, group } = again.profile(NUMERO);
    assert.deepEqual([name, label, group], ['Ana', undefined, "D'Or"]);
    assert.deepEqual(again.profile(OTHER), {});
  });

  test('a history is read in pages, the newest first, each where the one before ended', async (t) => {
    const { archive, reopen } = await startLab(t);
    const written = entries(7);
    await archive.record([...of(NUMERO, written.slice(0, 5)), ...of(OTHER, entries(2))]);
    await archive.record(of(NUMERO, written.slice(5)));
    const again = await reopen();
    const pages: WireHistoryEntry[][] = [];
    for (let before: number | undefined; pages.length < 5; before = pages.at(-1)?.at(-1)?.at) {
      const page = await again.history(NUMERO, 3, before);
      if (page.length === 0) break;
      pages.push(page);
    }
    assert.deepEqual(
      pages.map(({ length }) => length),
      [3, 3, 1],
    );
    assert.deepEqual(pages.flat(), written.toReversed());
    assert.equal((await again.history(OTHER, 10)).length, 2);
    assert.deepEqual(await again.history(NUMERO, 10, 0), []);
  });

  test('a history keeps its last thousand entries, and few more', async (t) => {
    const { archive } = await startLab(t);
    // Close to each other: none of them is too old.
    const written = entries(KEPT.entries + 200).map((entry, index) => ({ ...entry, at: Date.now() + index }));
    for (let from = 0; from < written.length; from += 20) {
      await archive.record(of(NUMERO, written.slice(from, from + 20)));
    }
    const kept = await archive.history(NUMERO, 10_000);
    assert.ok(kept.length >= KEPT.entries && kept.length < KEPT.entries + 100, `${kept.length} entries`);
    assert.deepEqual(kept, written.slice(-kept.length).reverse());
  });

  test('a history loses what is older than thirty days, also where each process adds little', async (t) => {
    const { archive, reopen } = await startLab(t);
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const old = entries(3);
    await archive.record(of(NUMERO, old));
    t.mock.timers.setTime(Date.now() + KEPT.time - HOUR / 2);
    const next = await reopen();
    await next.record(of(NUMERO, entries(KEPT.always)));
    // Half an hour before its time, the last of the old ones is still there.
    assert.deepEqual((await next.history(NUMERO, 100)).slice(KEPT.always), [old[2]]);
    t.mock.timers.setTime(Date.now() + HOUR);
    const last = await reopen();
    await last.record(of(NUMERO, entries(1)));
    assert.equal((await last.history(NUMERO, 100)).length, KEPT.always + 1);
  });

  test('a history keeps its last fifty entries of any age: a clock may be far ahead', async (t) => {
    const { archive, reopen } = await startLab(t);
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const old = entries(KEPT.always - 1);
    await archive.record(of(NUMERO, old));
    t.mock.timers.setTime(Date.now() + 12 * KEPT.time);
    const next = await reopen();
    await next.record(of(NUMERO, entries(1)));
    assert.deepEqual((await next.history(NUMERO, 100)).slice(1), old.toReversed());
  });

  test('a session has one link at most, which is found by its hash', async (t) => {
    const { archive, reopen } = await startLab(t);
    const expires = Date.now() + HOUR;
    assert.equal(archive.link(NUMERO), undefined);
    assert.equal(linkedIn(archive, HASH), undefined);
    await archive.setLink(NUMERO, { hash: tokenHash('an earlier one'), expires });
    await archive.setLink(NUMERO, { hash: HASH, expires });
    await archive.setLink(NUMERO, { hash: HASH, expires, opened: expires - 1 });
    await archive.setLink(OTHER, { hash: tokenHash('another'), expires });
    const again = await reopen();
    assert.deepEqual({ ...again.link(NUMERO) }, { hash: HASH, expires, opened: expires - 1 });
    assert.equal(linkedIn(again, HASH), NUMERO);
    assert.equal(linkedIn(again, tokenHash('another')), OTHER);
    for (const hash of [tokenHash('an earlier one'), '', "' OR 1=1"]) {
      assert.equal(linkedIn(again, hash), undefined);
    }
    await again.setLink(NUMERO, undefined);
    assert.equal(again.link(NUMERO), undefined);
    assert.equal(linkedIn(again, HASH), undefined);
    assert.ok(again.link(OTHER));
  });

  test('everything goes with its session', async (t) => {
    const { archive, renew } = await startLab(t);
    for (const numero of NUMEROS) {
      await archive.describe(numero, { label: 'Ventas' });
      await archive.record(of(numero, entries(3)));
      await archive.setLink(numero, { hash: tokenHash(numero), expires: Date.now() + HOUR });
    }
    await renew(NUMERO);
    assert.deepEqual(archive.profile(NUMERO), {});
    assert.deepEqual(await archive.history(NUMERO, 10), []);
    assert.equal(archive.link(NUMERO), undefined);
    assert.equal(linkedIn(archive, tokenHash(NUMERO)), undefined);
    assert.deepEqual(archive.profile(OTHER), { label: 'Ventas' });
    assert.equal((await archive.history(OTHER, 10)).length, 3);
    assert.equal(linkedIn(archive, tokenHash(OTHER)), OTHER);
  });

  test('what cannot be written is refused and logged once, and all is as before', async (t) => {
    const { archive, fill, printed } = await startLab(t);
    const link = { hash: HASH, expires: Date.now() + HOUR };
    await archive.describe(NUMERO, { label: 'Ventas' });
    await archive.setLink(NUMERO, link);
    const empty = await fill();
    const failed = { name: 'StoreError', task: 'write-archive', numero: NUMERO };
    await assert.rejects(archive.describe(NUMERO, { label: 'Soporte' }), failed);
    await assert.rejects(archive.setLink(NUMERO, { ...link, hash: tokenHash('new') }), failed);
    await assert.rejects(archive.record(of(NUMERO, entries(3))), failed);
    assert.equal(archive.profile(NUMERO).label, 'Ventas');
    assert.equal(archive.link(NUMERO)?.hash, HASH);
    assert.deepEqual(await archive.history(NUMERO, 10), []);
    assert.equal(printed.length, 1);
    assert.match(printed[0] ?? '', /^The store (?:has no space left|fails) \(\w+\): write-archive of \d+\.$/);
    await empty();
    await archive.record(of(NUMERO, entries(3)));
    assert.equal((await archive.history(NUMERO, 10)).length, 3);
  });

  test('nothing is written of a stranger', async (t) => {
    const { archive } = await startLab(t);
    const failed = { name: 'StoreError', task: 'write-archive', numero: '1' };
    await assert.rejects(archive.describe('1', { label: 'Ventas' }), failed);
    await assert.rejects(archive.setLink('1', { hash: HASH, expires: Date.now() + HOUR }), failed);
    await archive.record([...of('1', entries(1)), ...of(NUMERO, entries(1))]);
    assert.deepEqual(archive.profile('1'), {});
    assert.equal(linkedIn(archive, HASH), undefined);
    assert.deepEqual(await archive.history('1', 10), []);
    assert.equal((await archive.history(NUMERO, 10)).length, 1);
  });
}

/** The session with this link. */
function linkedIn(archive: Ledger, hash: string): string | undefined {
  return [NUMERO, OTHER].find((numero) => archive.link(numero)?.hash === hash);
}
