import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Server } from '../../src/server/server.ts';
import { remedyFor } from '../../src/session/record.ts';
import { held, joined, pass, settled, stopTime } from './support.ts';

const NUMERO = '5215550001111';

stopTime();

async function panel(state: string, calls: Partial<Server> = {}) {
  const joinedPanel = await joined([{ numero: NUMERO, state, waiting: false }], calls);
  const remedy = () => {
    const record = joinedPanel.store.get(NUMERO);
    return record && remedyFor(record);
  };
  return { ...joinedPanel, remedy };
}

describe('the next step', () => {
  const byState: readonly [state: string, remedy: string | undefined][] = [
    ['CONNECTED', undefined],
    ['AUTENTICANDO...', undefined],
    ['OPENING', undefined],
    ['DESCONECTADO', 'start'],
    ['CONFLICT', 'start'],
    ['ALGO NUEVO', 'start'],
    // Only who administers the server can help.
    ['PROXYBLOCK', undefined],
    ['DEPRECATED_VERSION', undefined],
  ];
  for (const [state, expected] of byState) {
    it(`of a session that is ${state} is ${expected ?? 'nothing'}`, async () => {
      const { remedy } = await panel(state);
      assert.equal(remedy(), expected);
    });
  }

  it('of a session whose codes nobody scanned is a new one, though that was before the page was opened', async () => {
    const reason = { code: 'not-scanned', text: 'Nadie escaneó el código a tiempo' };
    const { store, listener } = await joined([
      { numero: NUMERO, state: 'DESCONECTADO', waiting: false, details: { reason } },
    ]);
    listener.extensions(new Set(['details']));
    const record = store.get(NUMERO);
    assert.equal(record && remedyFor(record), 'newCode');
  });

  it('of a code is to look at it, and to have another once its time is over', async () => {
    const { listener, remedy } = await panel('AUTENTICANDO...');
    listener.push({ type: 'qr', numero: NUMERO, qrCode: '2@1' });
    assert.equal(remedy(), 'code');
    pass(70);
    assert.equal(remedy(), 'newCode');
  });

  it('of a start is to repeat it when it failed, hangs, or is not answered', async () => {
    const { call, answer } = held<string>();
    const { store, remedy } = await panel('DESCONECTADO', { start: call });
    store.up(NUMERO);
    await settled();
    pass(31);
    assert.equal(remedy(), 'again');
    await answer(new Error('no'));
    assert.equal(remedy(), 'retry');
    store.up(NUMERO);
    await settled();
    await answer(NUMERO);
    assert.equal(remedy(), undefined);
    pass(61);
    assert.equal(remedy(), 'again');
  });

  it('of a deletion that failed, or is not answered, is to repeat that', async () => {
    const { call, answer } = held<string | undefined>();
    const { store, remedy } = await panel('DESCONECTADO', { delete: call });
    store.delete(NUMERO);
    pass(31);
    assert.equal(remedy(), 'delete');
    await answer(new Error('no'));
    assert.equal(remedy(), 'delete');
  });
});
