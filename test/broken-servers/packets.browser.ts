import { waitFor } from '@testing-library/dom';
import '../../src/index.ts';
import { expect } from 'chai';
import { startGateway } from '../support/gateway.ts';
import { mountReady } from '../support/panel.ts';

const NUMERO = '5491155550001';

/** Of Engine.IO: it does nothing. */
const NOOP = '6';

/** As they are on the line: Engine.IO's type, then Socket.IO's. What throws into the page fails the test by itself. */
const ODD = [
  { what: 'a CONNECT_ERROR without a payload', text: '44' },
  { what: 'a CONNECT_ERROR whose payload is missing behind a blank', text: '44 ' },
  { what: 'a CONNECT_ERROR on a connected socket', text: '44{"message":"no"}' },
  { what: 'an EVENT without a payload', text: '42' },
  { what: 'an EVENT with a number and no payload', text: '4212' },
  { what: 'a BINARY_EVENT without a payload', text: '451-' },
  { what: 'a CONNECT without a sid', text: '40{}' },
  { what: 'a DISCONNECT', text: '41' },
  { what: 'an open that is no JSON', text: '0{' },
  { what: 'an open that is null', text: '0null' },
  { what: 'an open of another connection', text: '0{"sid":"otro","upgrades":7,"pingInterval":"a"}' },
  { what: 'an open whose sid is no text', text: '0{"sid":{"toString":1},"upgrades":[]}' },
  { what: 'the end of the transport', text: '1' },
  { what: 'a type that there is not', text: '9' },
];

describe('a server that sends odd packets', () => {
  for (const { what, text } of ODD) {
    it(`is heard again after ${what}`, async () => {
      const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
      const panel = await mountReady(gateway);
      await waitFor(async () => expect(await gateway.sendRaw(text), 'a WebSocket').to.be.ok);
      await waitFor(async () => {
        await gateway.push('session:change_state', { numero: NUMERO, state: what });
        expect(panel.text).to.include(what);
      });
    });
  }

  it('is heard again after a WebSocket that ends while it takes over from polling', async () => {
    const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    await gateway.cutUpgrade();
    const panel = await mountReady(gateway);
    await waitFor(async () => expect(await gateway.sendRaw(NOOP), 'another WebSocket').to.be.ok);
    await gateway.push('session:change_state', { numero: NUMERO, state: 'DE NUEVO' });
    await waitFor(() => expect(panel.text).to.include('DE NUEVO'));
    await waitFor(async () => expect(await gateway.socketCount()).to.equal(1));
  });
});
