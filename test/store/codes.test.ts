import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { Session } from '../../src/session/session.ts';
import { joined, settled } from './support.ts';

const numero = '5491155550001';
const other = '5491155550002';
const waiting: Session = { numero, state: 'AUTENTICANDO...', waiting: true };
const listed = { numero, state: 'AUTENTICANDO...', qrCode: '2@listed', waiting: false };

/** A panel with a session or two, at a clock that only the test moves: what it learns is how long codes live. */
async function panel(list: readonly Session[] = [waiting, { ...waiting, numero: other }], calls = {}) {
  const { store, listener } = await joined(list, calls);
  let codes = 0;
  return {
    store,
    listener,
    push(code?: string, about = numero) {
      codes += 1;
      listener.push({ type: 'qr', numero: about, qrCode: code ?? `2@${codes}` });
    },
    /** Seconds from now until the code is covered, by what is known of it now. */
    covered(about = numero) {
      const { codeLife, changesAt = 0 } = store.get(about)?.status ?? {};
      return codeLife === 'fresh' ? (changesAt - Date.now() - 500) / 1000 : codeLife;
    },
    life: () => store.get(numero)?.status?.codeLife,
  };
}

type Panel = Awaited<ReturnType<typeof panel>>;

function pass(seconds: number): void {
  mock.timers.tick(seconds * 1000);
}

/** One start whose codes have the given lives, in seconds; the last one stays up. */
function start({ listener, push }: Panel, lives: readonly number[], about = numero): void {
  listener.push({ type: 'disconnected', numero: about });
  for (const life of lives) {
    push(undefined, about);
    pass(life);
  }
  push(undefined, about);
}

beforeEach(() => mock.timers.enable({ apis: ['Date', 'setInterval'], now: Date.UTC(2026, 0, 1) }));
afterEach(() => mock.reset());

describe('how long a code lives', () => {
  it("is WhatsApp's own rhythm until the pushes tell another: 60 s, then every 20 s", async () => {
    const { push, covered } = await panel();
    push();
    assert.equal(covered(), 60);
    pass(60);
    push();
    assert.equal(covered(), 20);
  });

  it('is told: ended after half a second, expired two seconds later, and never scannable again', async () => {
    const { push, life } = await panel();
    push();
    pass(60);
    assert.equal(life(), 'fresh');
    pass(1);
    assert.equal(life(), 'ended');
    pass(2);
    assert.equal(life(), 'expired');
    pass(3600);
    assert.equal(life(), 'expired');
  });

  it('is told by the clock after a sleep, too', async () => {
    const { store, push, life } = await panel();
    push();
    const woken: unknown[] = [];
    store.watch(numero, () => woken.push(life()));
    mock.timers.setTime(Date.now() + 8 * 3600_000);
    pass(0.5);
    assert.deepEqual(woken, ['expired']);
  });

  it('is shorter as soon as it was seen, for the other sessions as well', async () => {
    const shown = await panel();
    start(shown, [45]);
    shown.push(undefined, other);
    assert.equal(shown.covered(other), 45);
  });

  it('is longer only when that was seen twice', async () => {
    const shown = await panel();
    start(shown, [60, 30]);
    assert.equal(shown.covered(), 20);
    pass(30);
    shown.push();
    assert.equal(shown.covered(), 30);
  });

  it('follows a server of 45 s and 30 s, and one that runs ten times faster', async () => {
    for (const lives of [
      [45, 30, 30, 30],
      [6, 2, 2, 2],
    ]) {
      const shown = await panel();
      start(shown, lives);
      assert.equal(shown.covered(), lives[1]);
      shown.push(undefined, other);
      assert.equal(shown.covered(other), lives[0]);
    }
  });

  it('does not come from one push that was late, or from the one after it', async () => {
    const shown = await panel();
    start(shown, [60, 20, 35, 5]);
    assert.equal(shown.covered(), 20);
    pass(20);
    shown.push();
    assert.equal(shown.covered(), 20);
  });

  it('does not come from a code that stalled, and went on when the server was mended', async () => {
    const shown = await panel();
    start(shown, [60, 20, 100]);
    assert.equal(shown.covered(), 20);
    start(shown, [60, 400]);
    assert.equal(shown.covered(), 20);
  });

  it('does not come from pushes with a gap in the connection between them', async () => {
    const { listener, push, covered } = await panel();
    push();
    listener.connection(true);
    listener.connection(false);
    pass(5);
    listener.connection(true);
    push();
    push(undefined, other);
    assert.equal(covered(other), 60);
  });

  it('does not come from a code that a list brought, before or after', async () => {
    const { listener, push, covered } = await panel([listed, { ...waiting, numero: other }]);
    pass(3);
    push();
    push(undefined, other);
    assert.equal(covered(other), 60);
    listener.connection(true);
    await settled();
    pass(3);
    push();
    pass(20);
    push();
    assert.equal(covered(), 20);
  });

  it('does not come from a session that is started anew, also where its codes come before the answer', async () => {
    let answer = (_: string) => {};
    const held = new Promise<string>((resolve) => {
      answer = resolve;
    });
    const { store, push, covered } = await panel(undefined, { start: () => held });
    push();
    pass(2);
    const up = store.up(numero);
    await settled();
    pass(1);
    push('2@new');
    pass(10);
    answer(numero);
    await up;
    // The first of its start, and up since it was pushed: not since the answer.
    assert.equal(store.get(numero)?.session.qrCode, '2@new');
    assert.equal(covered(), 50);
    push(undefined, other);
    assert.equal(covered(other), 60);
  });
});

describe('the time of a code', () => {
  it('has no beginning where a list brought it, and ends at the latest when a first code would', async () => {
    const { store, covered } = await panel([listed]);
    assert.equal(store.get(numero)?.status?.codeFrom, undefined);
    assert.equal(covered(), 60);
  });

  it('goes on when the same code is told again: by a push, another state, or the list', async () => {
    const { store, listener, push, covered } = await panel();
    push('2@same');
    const { codeFrom } = store.get(numero)?.status ?? {};
    pass(15);
    push('2@same');
    pass(15);
    listener.push({ type: 'change_state', numero, state: 'PAIRING' });
    assert.equal(covered(), 30);
    assert.equal(store.get(numero)?.status?.codeFrom, codeFrom);
    pass(40);
    push('2@same');
    assert.equal(covered(), 'expired');
  });

  it('goes on through a connection that was lost, when the list still has it', async () => {
    const list: Session[] = [waiting];
    const { listener, push, covered } = await panel([], { list: async () => [...list] });
    push('2@same');
    list[0] = { ...listed, qrCode: '2@same' };
    listener.connection(true);
    listener.connection(false);
    pass(25);
    listener.connection(true);
    await settled();
    assert.equal(covered(), 35);
  });

  it('runs out while the connection is gone', async () => {
    const { listener, push, life } = await panel();
    push();
    listener.connection(true);
    listener.connection(false);
    pass(63);
    assert.equal(life(), 'expired');
  });

  it('goes on through a deletion that fails', async () => {
    let fail = (_: Error) => {};
    const held = new Promise<void>((_, reject) => {
      fail = reject;
    });
    const { store, push, life, covered } = await panel(undefined, { delete: () => held });
    mock.method(console, 'error', () => {});
    push();
    const deletion = store.delete(numero);
    pass(5);
    assert.equal(life(), undefined);
    pass(35);
    fail(new Error('no'));
    await deletion;
    assert.equal(covered(), 20);
  });

  it('begins anew with a start, as that of a first code', async () => {
    const { store, push, covered, life } = await panel();
    push();
    pass(60);
    push();
    pass(30);
    assert.equal(life(), 'expired');
    await store.up(numero);
    assert.equal(life(), undefined);
    push();
    assert.equal(covered(), 60);
  });

  it('ends with the code: scanned, linked, run out or disconnected', async () => {
    const { listener, push, life } = await panel();
    for (const type of ['authenticated', 'ready', 'qr_timeout', 'disconnected'] as const) {
      push();
      assert.equal(life(), 'fresh');
      listener.push({ type, numero });
      assert.equal(life(), undefined, type);
    }
  });
});
