import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { remedyFor } from '../../src/session/states.ts';
import { type Answers, held, joined, pass, stopTime } from './support.ts';

const NUMERO = '5215550001111';

stopTime();

async function panel(state: string, calls: Partial<Answers> = {}) {
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
