import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Session } from '../../src/session/session.ts';
import { joined, settled } from './support.ts';

const numero = '5491155550001';
const down: Session = { numero, state: 'DESCONECTADO', waiting: false };
const connected: Session = { numero, state: 'CONNECTED', waiting: false };

/** A start that is under way until the test answers it. */
async function starting(list: readonly Session[]) {
  let answer = (_: string) => {};
  const start = () => new Promise<string>((resolve) => (answer = resolve));
  const panel = await joined(list, { start });
  const outcome = panel.store.up(numero);
  await settled();
  return {
    ...panel,
    async answered() {
      answer(numero);
      await outcome;
      return panel.store.get(numero)?.session;
    },
  };
}

describe('a start whose end was pushed before its answer', () => {
  for (const type of ['disconnected', 'qr_timeout'] as const) {
    it(`shows the end of a session that was down: ${type}`, async () => {
      const { listener, answered } = await starting([down]);
      listener.push({ type, numero });
      assert.deepEqual(await answered(), down);
    });
  }

  it('shows the end of a session that is new', async () => {
    const { listener, answered } = await starting([]);
    listener.push({ type: 'qr', numero, qrCode: '2@1' });
    listener.push({ type: 'disconnected', numero });
    assert.deepEqual(await answered(), down);
  });

  it('waits for the next code of a session that was up: the end is that of the life before', async () => {
    const { listener, answered } = await starting([connected]);
    listener.push({ type: 'disconnected', numero });
    assert.equal((await answered())?.waiting, true);
  });

  it('shows the code that was pushed after the end of the life before', async () => {
    const { listener, answered } = await starting([connected]);
    listener.push({ type: 'disconnected', numero });
    listener.push({ type: 'qr', numero, qrCode: '2@new' });
    assert.equal((await answered())?.qrCode, '2@new');
  });
});
