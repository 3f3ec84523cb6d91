import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { S_WHATSAPP_NET } from '@whiskeysockets/baileys';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { Connection } from '../../src/engines/whatsapp/connection.ts';
import { loadLibrary } from '../../src/engines/whatsapp/library.ts';
import { TIMINGS } from '../../src/engines/whatsapp/timings.ts';
import { openLedger } from '../../src/ledger/sqlite.ts';
import { createLogger } from '../../src/log.ts';
import { built, inline } from '../support/built.ts';
import { Listener } from '../support/gateway.ts';
import { GatewayProcess } from '../support/gateway-process.ts';
import { node } from './fake/nodes.ts';
import { Devices } from './support/devices.ts';
import { layOut, onFolder } from './support/layout.ts';
import { printed } from './support/printed.ts';

const NUMERO = '5215550001111';
const OTHER = '34600000001';

describe('an uncaught exception of the library', () => {
  test('ends its own connection, not the process or another connection', async (t) => {
    const { folder, whatsapp } = await layOut(t, { preKeys: 100 });
    const timings = built('src/engines/whatsapp/timings');
    const imports = inline(`import { TIMINGS } from '${timings}'; TIMINGS.code = 1_500;`);
    const start = (options = {}) => new GatewayProcess(t, onFolder(folder, whatsapp), options).listens();
    // Without hurry, in which all its codes would be over after 9 s.
    const before = await start();
    await before.link(OTHER, whatsapp);
    await before.stop();
    const gateway = await start({ imports });
    await gateway.state(OTHER, STATES.connected);
    const { logins } = whatsapp.phone(OTHER);
    const panel = await Listener.connect(t, gateway);
    const code = async (numero: string, from = 0) =>
      String((await panel.heard(`session:qr:${numero}`, from))[0]);

    // The library shows the second ref from a timer, and trips over what it lacks.
    whatsapp.stepIn = (moment, connection) => {
      if (moment !== 'introduced') return false;
      whatsapp.stepIn = undefined;
      const refs = [node('ref', {}, Buffer.from('2@first')), node('ref')];
      connection.send(
        node('iq', { id: '1', type: 'set', from: S_WHATSAPP_NET }, [node('pair-device', {}, refs)]),
      );
      return true;
    };
    await gateway.levanta(NUMERO);
    assert.match(await code(NUMERO), /2@first/);
    const printed =
      /"type":"TypeError","stack":" {4}at .*genPairQR.*The client library failed on a connection; reconnecting."/;
    await until(() => printed.test(gateway.run.output.stderr), 'a sentence');
    assert.doesNotMatch(await code(NUMERO, 1), /2@first/);
    assert.ok(!panel.names.some((name) => name.endsWith(OTHER)), String(panel.names));
    assert.equal(whatsapp.phone(OTHER).logins, logins);

    gateway.run.child.kill('SIGTERM');
    assert.equal(await gateway.run.ended, 0);
  });
});

describe('an exception of our own code', () => {
  test('in a callback of the library is logged with its stack, and does not end the connection', async (t) => {
    const { folder, whatsapp } = await layOut(t, { preKeys: 100 });
    const lines: string[] = [];
    const log = createLogger('info', { write: (line) => lines.push(line) });
    const library = await loadLibrary();
    const store = await openLedger(folder, () => {});
    t.after(() => store.close());
    await store.add(NUMERO);
    const told: string[] = [];
    const connection = new Connection(
      {
        library,
        url: whatsapp.url,
        version: { current: [2, 3000, 1] },
        timings: TIMINGS,
        passkey: false,
        log,
        proxy: undefined,
        proxies: { exitOf: async () => undefined },
      },
      new Devices(store, library, () => {}).get(NUMERO),
      {
        code: (text) => {
          throw new RangeError(text);
        },
        open: () => told.push('open'),
        closed: () => told.push('closed'),
        failed: () => told.push('failed'),
      },
    );
    t.after(() => connection.end());
    await until(() => lines.length > 0, 'the failure');
    assert.match(lines.join(), /"type":"RangeError","stack":" {4}at /);
    assert.ok(connection.isOpen);
    assert.deepEqual(told, []);
  });
});

describe('an unhandled rejection', () => {
  const rejecting = (reject: string) => `
    import { loadLibrary } from '${built('src/engines/whatsapp/library')}';
    import { inLibrary, outsideLibrary } from '${built('src/engines/whatsapp/uncaught-errors')}';
    await loadLibrary();
    ${reject}
    setTimeout(() => console.info('ours'), 100);`;

  test('does not end the process when it comes from the library', async () => {
    const script = rejecting(`inLibrary(() => console.info('handled'), () => {
      Promise.reject(1006);
      setTimeout(() => Promise.reject(new Error('later')), 10);
    });`);
    assert.equal(await printed(script), 'ours\n');
  });

  test('ends the process when it comes from our code, even if the library called it', async () => {
    const script = rejecting(
      `inLibrary(() => {}, () => outsideLibrary(() => void Promise.reject(new Error('a bug'))));`,
    );
    await assert.rejects(printed(script), /a bug/);
  });
});
