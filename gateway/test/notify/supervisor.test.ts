import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WireListItem } from '../../../src/wire.ts';
import type { Notification } from '../../src/notify/notification.ts';
import { Supervisor } from '../../src/notify/supervisor.ts';
import type { DeliveryFailure } from '../../src/sessions/engine.ts';
import { SendFailure } from '../../src/sessions/errors.ts';
import { connected, fallen, numeroOf } from './support/channel-lab.ts';

const SUPERVISOR = '34600111222';
const NOTIFICATION: Notification = {
  id: 'msg_1',
  at: 0,
  total: 3,
  counts: { back: 1 },
  items: [{ numero: numeroOf(9), event: 'back', state: 'CONNECTED', since: 0 }],
};

/** A session that has been connected since that moment. */
function since(index: number, moment: number, more: Partial<WireListItem> = {}): WireListItem {
  return { ...connected(numeroOf(index)), since: moment, ...more };
}

/** A supervisor, and who has tried to tell him, with what success. */
function lab(own: WireListItem[], ...failures: DeliveryFailure[]) {
  const senders: string[] = [];
  const send = async (numero: string, [contact = 0]: readonly number[]) => {
    senders.push(numero);
    const reason = failures.shift();
    if (reason) throw new SendFailure([{ contact: String(contact), reason }]);
    return 'id';
  };
  return { senders, supervisor: new Supervisor(SUPERVISOR, { own, send }) };
}

describe('a supervisor is told', () => {
  it('by the session that has been connected for longest', async () => {
    const { supervisor, senders } = lab([since(1, 20), since(2, 10), since(3, 30)]);
    await supervisor.deliver(NOTIFICATION);
    assert.deepEqual(senders, [numeroOf(2)]);
  });

  it('by none that may not write to anybody, and not by his own', () => {
    const { supervisor } = lab([
      since(1, 0, { restricted: { text: 'Restringida' } }),
      since(2, 0, { quota: { used: 30, total: 30 } }),
      fallen(numeroOf(3), 'unreachable'),
      connected(SUPERVISOR),
    ]);
    assert.equal(supervisor.isReady(), false);
  });

  it('by another session, if the first one could not', async () => {
    const { supervisor, senders } = lab([since(1, 10), since(2, 20)], 'restricted');
    await assert.rejects(supervisor.deliver(NOTIFICATION), { code: 'restricted' });
    await supervisor.deliver(NOTIFICATION);
    assert.deepEqual(senders, [numeroOf(1), numeroOf(2)]);
  });

  it('by each other session in turn, as long as none can', async () => {
    const { supervisor, senders } = lab(
      [since(1, 10), since(2, 20), since(3, 30)],
      ...Array(4).fill('restricted'),
    );
    for (let attempt = 0; attempt < 4; attempt += 1) await assert.rejects(supervisor.deliver(NOTIFICATION));
    assert.deepEqual(senders, [1, 2, 3, 1].map(numeroOf));
  });

  it('perhaps, if WhatsApp confirms nothing: then not again', async () => {
    const { supervisor } = lab([since(1, 10)], 'unconfirmed');
    await supervisor.deliver(NOTIFICATION);
  });
});
