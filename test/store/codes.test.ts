import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { Session } from '../../src/session/session.ts';
import { mockTimers } from '../support/mock-timers.ts';
import { closeStores, joined, type ListedSession, settled, watch } from './support.ts';

const numero = '5491155550001';
const other = '5491155550002';
const waiting: Session = { numero, state: 'AUTENTICANDO...', waiting: true };
const listed = { numero, state: 'AUTENTICANDO...', qrCode: '2@listed', waiting: false };

/** A panel with a session or two, at a clock that only the test moves. */
async function panel(list: readonly ListedSession[] = [waiting, { ...waiting, numero: other }], calls = {}) {
  const { store, listener, says } = await joined(list, calls);
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
    life: (about = numero) => store.get(about)?.status?.codeLife,
    says,
  };
}

function pass(seconds: number): void {
  mock.timers.tick(seconds * 1000);
}

beforeEach(() => mockTimers(mock, { apis: ['Date', 'setInterval'], now: Date.UTC(2026, 0, 1) }));
afterEach(() => {
  closeStores();
  mock.reset();
});

describe('how long a code lives', () => {
  it("is WhatsApp's own rhythm: 60 s, then every 20 s", async () => {
    const { push, covered } = await panel();
    push();
    assert.equal(covered(), 60);
    pass(60);
    push();
    assert.equal(covered(), 20);
  });

  it('ends half a second late, expires two seconds later, and stays expired', async () => {
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

  it('is checked against the clock after a sleep', async () => {
    const { store, push, life } = await panel();
    push();
    const woken: unknown[] = [];
    watch(store, numero, () => woken.push(life()));
    mock.timers.setTime(Date.now() + 8 * 3600_000);
    pass(0.5);
    assert.deepEqual(woken, ['expired']);
  });
});

describe('the time of a code', () => {
  it('has no beginning where a list brought it, and ends as that of a first code', async () => {
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

  it('goes on when the code is drawn anew with another secret', async () => {
    const { store, push, covered } = await panel();
    push('2@ref,noise,identity,old,1');
    pass(5);
    push('2@ref,noise,identity,new,1');
    assert.equal(store.get(numero)?.session.qrCode, '2@ref,noise,identity,new,1');
    assert.equal(covered(), 55);
    push('2@other,noise,identity,new,1');
    assert.equal(covered(), 20);
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

describe('a code that is over', () => {
  it('is reported on the card until a later push', async () => {
    const { push, says } = await panel();
    push();
    assert.equal(says(numero), 'Escanéalo con el teléfono de este número.');
    pass(61);
    assert.equal(says(numero), 'Escanéalo con el teléfono de este número.');
    pass(2);
    assert.equal(says(numero), 'El código venció y el servidor no ha enviado otro.');
    push();
    assert.equal(says(numero), 'Escanéalo con el teléfono de este número.');
  });

  it('expires alone: other sessions have their own time, and a renewed code does not expire', async () => {
    const { push, life } = await panel();
    push();
    pass(30);
    push(undefined, other);
    for (let code = 0; code < 5; code += 1) {
      pass(code === 0 ? 30 : 20);
      assert.equal(life(), 'fresh');
      push();
    }
    pass(3);
    assert.equal(life(other), 'expired');
    assert.equal(life(), 'fresh');
  });

  it('has no time left to show', async () => {
    const { store, push } = await panel();
    push();
    assert.ok(store.get(numero)?.status.codeFrom);
    pass(61);
    assert.ok((store.get(numero)?.status.codeUntil ?? Infinity) < Date.now());
  });

  it('stays over when a list still has it', async () => {
    const { store, listener, push, life } = await panel([listed], { list: async () => [listed] });
    push('2@listed');
    pass(63);
    listener.push({ type: 'qr_timeout', numero });
    await store.refresh();
    assert.equal(life(), 'expired');
  });

  it('is over when the clock is set back', async () => {
    const { push, life } = await panel();
    push();
    pass(1);
    const { now } = Date;
    mock.method(Date, 'now', () => now() - 3_600_000);
    pass(1);
    assert.equal(life(), 'expired');
  });

  it('is shown when the operator asks for it; another code has its own time', async () => {
    const { store, push, life, says } = await panel();
    push('2@kept');
    pass(63);
    store.trustCode(numero);
    assert.equal(life(), undefined);
    assert.equal(says(numero), 'Escanéalo con el teléfono de este número.');
    push('2@kept');
    pass(3600);
    assert.equal(life(), undefined);
    push('2@next');
    assert.equal(life(), 'fresh');
    pass(63);
    assert.equal(life(), 'expired');
  });

  it('does not matter once the session is CONNECTED', async () => {
    const { store, listener, push, life } = await panel();
    push();
    listener.push({ type: 'change_state', numero, state: 'CONNECTED' });
    pass(63);
    assert.equal(life(), undefined);
    assert.equal(store.get(numero)?.status.asks, 'nothing');
  });
});

describe('a code whose end the server tells', () => {
  /** A panel whose server tells the end of a code before the code, in seconds from now. */
  async function telling(list?: readonly ListedSession[], calls = {}) {
    const shown = await panel(list, calls);
    shown.listener.extensions(new Set(['details']));
    return {
      ...shown,
      tell: (seconds: number) =>
        shown.listener.push({
          type: 'details',
          numero,
          change: { codeExpires: Date.now() + seconds * 1000 },
        }),
    };
  }

  it('is covered then: one of 45 s is valid from second 21 on too', async () => {
    const { store, push, tell, covered, life } = await telling();
    for (let code = 0; code < 3; code += 1) {
      tell(45);
      push();
      const { codeFrom = 0, codeUntil = 0 } = store.get(numero)?.status ?? {};
      assert.equal(codeUntil - codeFrom, 45_000);
      for (const second of [21, 24, 45]) {
        pass(second - (45 - Number(covered())));
        assert.equal(life(), 'fresh', `code ${code} in second ${second}`);
      }
    }
    pass(3);
    assert.equal(life(), 'expired');
  });

  it('has as much left of the longest life as the list says', async () => {
    const details = { codeExpires: Date.now() + 12_000 };
    const { store, covered } = await telling([{ ...listed, details }]);
    assert.equal(covered(), 12);
    const { codeFrom = 0, codeUntil = 0 } = store.get(numero)?.status ?? {};
    assert.equal(codeUntil - codeFrom, 60_000);
  });

  it('is covered at once where the list says that its time is over', async () => {
    const details = { codeExpires: Date.now() - 900_000 };
    const { store } = await telling([{ ...listed, details }]);
    assert.equal(store.get(numero)?.status.codeLife, 'expired');
  });

  it('is told by a list that comes later, also of a session that this panel has not seen', async () => {
    const list: ListedSession[] = [listed];
    const { store, covered } = await telling(list, { list: async () => [...list] });
    assert.equal(covered(), 60);
    list[0] = { ...listed, details: { codeExpires: Date.now() + 33_000 } };
    await store.refresh();
    assert.equal(covered(), 33);
  });

  it('does not lend its end to the next one, which lives as codes do', async () => {
    const { push, tell, covered } = await telling();
    tell(45);
    push();
    pass(20);
    push();
    assert.equal(covered(), 20);
    pass(20);
    // Over when the code comes.
    tell(-1);
    push();
    assert.equal(covered(), 20);
  });

  it('does not lend it to the first code of another start either', async () => {
    const { store, push, tell, covered } = await telling();
    tell(45);
    push();
    pass(5);
    await store.up(numero);
    push();
    assert.equal(covered(), 60);
  });

  it('keeps it when a start is answered after its code', async () => {
    let answer = (_: string) => {};
    const start = () => new Promise<string>((resolve) => (answer = resolve));
    const { store, push, tell, covered } = await telling(undefined, { start });
    const up = store.up(numero);
    await settled();
    tell(45);
    push();
    pass(5);
    answer(numero);
    await up;
    assert.equal(covered(), 40);
  });

  it('keeps it when its details change, when it is told again, and when a deletion fails', async () => {
    const { store, listener, push, tell, covered } = await telling(undefined, {
      delete: () => Promise.reject(new Error('no')),
    });
    mock.method(console, 'error', () => {});
    tell(45);
    push('2@same');
    pass(10);
    listener.push({ type: 'details', numero, change: { label: 'Ventas' } });
    push('2@same');
    await store.delete(numero);
    assert.equal(covered(), 35);
  });

  it('is no longer the guess once the end is told of the code after it', async () => {
    const { push, tell, covered } = await telling();
    push();
    tell(45);
    assert.equal(covered(), 60);
    push();
    assert.equal(covered(), 45);
  });

  it('is one of a server that announces details, and of no other', async () => {
    const details = { codeExpires: Date.now() + 12_000 };
    const { listener, push, covered } = await panel([{ ...listed, details }]);
    assert.equal(covered(), 60);
    listener.push({ type: 'details', numero, change: { codeExpires: Date.now() + 45_000 } });
    push();
    assert.notEqual(covered(), 45);
  });
});
