import assert from 'node:assert/strict';
import { after, afterEach, describe, test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { EvolutionServer } from '../../src/engines/evolution/server.ts';
import { RemoteSession } from '../../src/engines/remote/session.ts';
import { WahaServer } from '../../src/engines/waha/server.ts';
import type { Sign } from '../../src/sessions/engine.ts';
import { KEY, SERVERS, StandIn } from '../support/stand-in.ts';
import { newNumero } from './lab.ts';

const ADAPTERS = { waha: WahaServer, evolution: EvolutionServer };
/** A request that the server can answer only with WhatsApp's help. */
const ASKS = {
  waha: (name: string) => `GET /api/contacts/check-exists?session=${name}`,
  evolution: (name: string) => `POST /chat/fetchBusinessProfile/${name}`,
};

for (const { title, name, args } of SERVERS) {
  describe(title, async () => {
    const standIn = await StandIn.start({ after }, name, ...args);
    const server = new ADAPTERS[name](standIn.url, KEY);
    after(() => server.close());
    afterEach(() => standIn.command({ do: 'faults', faults: [] }));

    test('answers a probe of a session that lives, and not of one that WhatsApp no longer answers', async () => {
      const [alive, zombie] = [newNumero(), newNumero()];
      for (const phone of [alive, zombie]) await standIn.command({ do: 'create', name: phone, phone });
      const connected = async () =>
        (await server.list()).filter(({ status }) => status === 'connected').length === 2;
      await until(connected, 'both to connect');
      await standIn.command({
        do: 'faults',
        faults: [{ of: ASKS[name](zombie), as: { status: 500 } }],
      });
      const probe = (numero: string) => new RemoteSession(server, numero, numero, () => {}).probe();
      assert.equal(await probe(alive), true);
      assert.equal(await probe(zombie), false);
    });
  });
}

describe('WAHA with a restricted account', async () => {
  const standIn = await StandIn.start({ after }, 'waha');
  const server = new WahaServer(standIn.url, KEY);
  after(() => server.close());
  const phone = newNumero();
  const until2100 = Date.UTC(2100, 0);
  const limited = (limit?: object) => ({ type: 'limited', limit });

  test('tells it by its events and in its list, and why it sends nothing', async () => {
    const signs: Sign[] = [];
    const session = new RemoteSession(server, phone, phone, (event) => {
      if (event.type === 'limited') signs.push(event);
    });
    await server.events.open({
      opened() {},
      closed() {},
      status: (_name, status, account) => session.onStatus(status, account),
      code() {},
      ack() {},
      changed() {},
      removed() {},
    });
    await standIn.command({ do: 'create', name: phone, phone });
    await until(async () => (await server.list())[0]?.status === 'connected', 'it to connect');
    await standIn.command({ do: 'limit', name: phone, until: until2100 });
    await until(() => signs.length === 1, 'the restriction');
    const [listed] = await server.list();
    assert.deepEqual(listed?.account.limit, { until: until2100 });
    const refusal = { statusCode: 500, exception: { message: '2 UNKNOWN: server returned error 463' } };
    await standIn.command({
      do: 'faults',
      faults: [{ of: 'POST /api/sendText', times: 1, as: { status: 500, json: refusal } }],
    });
    assert.equal(await session.send('34600000009', 'Hola', () => {}), 'restricted');
    const echo = { request: { body: { text: '"message":"server returned error 463"' } } };
    await standIn.command({
      do: 'faults',
      faults: [{ of: 'POST /api/sendText', times: 1, as: { status: 500, json: echo } }],
    });
    assert.equal(await session.send('34600000009', 'Hola', () => {}), 'unconfirmed');
    await standIn.command({ do: 'limit', name: phone });
    await until(() => signs.length === 2, 'its end');
    assert.deepEqual(signs, [limited({ until: until2100 }), limited()]);
  });
});
