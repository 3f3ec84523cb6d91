import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATES, type WireListItem } from '../../../src/wire.ts';
import { NotifiedLinks } from '../../src/notify/links.ts';
import { createLink } from '../../src/sessions/links.ts';

const NUMERO = '5215550001111';
const HOUR = 3_600_000;

test('channels tell one link, but none that an operator has sent, whenever it ends', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const session: WireListItem = { numero: NUMERO, state: STATES.disconnected, waiting: false };
  const create = async () => {
    const { sent } = createLink(HOUR);
    session.link = { id: sent.id, expires: sent.expires };
    return sent;
  };
  const links = new NotifiedLinks({ get: () => session, createLink: create });
  const told = await links.offer(NUMERO, HOUR);
  assert.ok(told);
  assert.equal(await links.offer(NUMERO, HOUR), told);
  assert.equal((await create()).expires, told.expires);
  assert.equal(await links.offer(NUMERO, HOUR), undefined);
});
