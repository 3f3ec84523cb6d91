import { waitFor } from '@testing-library/dom';
import '../../src/index.ts';
import { expect } from 'chai';
import { startGateway } from '../support/gateway.ts';
import { gatherTimers } from '../support/gathered-timers.ts';
import { mountReady, openPanel } from '../support/panel.ts';

const NUMERO = '5491155550001';

/** A packet of Engine.IO without effect. */
const NOOP = '6';

/** Raw packets: Engine.IO's type, then Socket.IO's. An exception in the page fails the test by itself. */
const ODD = {
  'a CONNECT_ERROR without a payload': '44',
  'a CONNECT_ERROR whose payload is missing behind a blank': '44 ',
  'a CONNECT_ERROR on a connected socket': '44{"message":"no"}',
  'a CONNECT_ERROR whose message is no text': '44{"message":{"toString":1}}',
  'an EVENT without a payload': '42',
  'an EVENT with a number and no payload': '4212',
  'a BINARY_EVENT without a payload': '451-',
  'a CONNECT without a sid': '40{}',
  'a DISCONNECT': '41',
  'an open that is no JSON': '0{',
  'an open that is null': '0null',
  'an open of another connection': '0{"sid":"otro","upgrades":7,"pingInterval":"a"}',
  'an open whose sid is no text': '0{"sid":{"toString":1},"upgrades":[]}',
  'the end of the transport': '1',
  'an unknown type': '9',
};

/** Many packets, and a long one. */
const TOO_MUCH = [`${NOOP}\x1e`.repeat(10_001), `42["nada","${'x'.repeat(2_000_000)}"]`];

describe('a panel that gets odd packets', () => {
  it('receives pushes again after each packet', async () => {
    const { gateway, panel } = await openPanel({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    // The panel waits longer before each attempt: for all together, nearly as long as a test may take.
    const passDelays = gatherTimers((ms) => ms >= 500 && ms <= 5_000);
    for (const [what, text] of Object.entries(ODD)) {
      await waitFor(async () => {
        passDelays();
        expect(await gateway.sendRaw(text), 'a WebSocket').to.be.ok;
      });
      await waitFor(async () => {
        passDelays();
        await gateway.push('session:change_state', { numero: NUMERO, state: what });
        expect(panel.text).to.include(what);
      });
    }
  });

  it('leaves a connection over which too much comes at once', async () => {
    const { gateway, panel } = await openPanel({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    for (const text of TOO_MUCH) {
      const ended = new Promise<void>((resolve) => {
        panel.element.addEventListener('wo-connection-change', ({ detail }) => detail.connected || resolve());
      });
      await waitFor(async () => expect(await gateway.sendRaw(text), 'a WebSocket').to.be.ok);
      await ended;
      await waitFor(async () => {
        await gateway.push('session:change_state', { numero: NUMERO, state: `TRAS ${text.length}` });
        expect(panel.text).to.include(`TRAS ${text.length}`);
      });
    }
  });

  it('receives pushes again after a WebSocket that ends during the upgrade from polling', async () => {
    const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    await gateway.cutUpgrade();
    const panel = await mountReady(gateway);
    await waitFor(async () => expect(await gateway.sendRaw(NOOP), 'another WebSocket').to.be.ok);
    await gateway.push('session:change_state', { numero: NUMERO, state: 'DE NUEVO' });
    await waitFor(() => expect(panel.text).to.include('DE NUEVO'));
    // The end of the first one may be lost with it: then the server's ping tells, after 45 seconds.
    const timeout = 90_000;
    await waitFor(async () => expect(await gateway.socketCount()).to.equal(1), { timeout });
  });
});
