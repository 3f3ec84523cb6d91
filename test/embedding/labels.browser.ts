import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import type { Labels } from '../../src/labels.ts';
import type { WireSession } from '../../src/wire.ts';
import { consoleErrors } from '../support/console.ts';
import { openPanel, type Panel } from '../support/panel.ts';
import { startPlain } from '../support/plain.ts';

const NUMERO = '5491155550001';
const connected: WireSession = { numero: NUMERO, state: 'CONNECTED', waiting: false };
const labels = { [NUMERO]: { label: 'Ventas del portal', group: 'Norte' } };

const shows = (panel: Panel, label: string) =>
  waitFor(() => {
    expect(panel.text).to.include(label);
    expect(panel.text).to.include(NUMERO);
  });

describe("the page's labels", () => {
  it('are shown without any extension, and cause no call', async () => {
    const server = await startPlain([connected]);
    const panel = await server.mount();
    panel.element.labels = labels;
    await shows(panel, 'Ventas del portal');
    expect(panel.element.labels).to.equal(labels);
    expect(panel.all('button', /Nombre y grupo/)).to.deep.equal([]);
    expect((await server.traffic()).calls).to.have.length(2);
  });

  it('stay when the panel joins another server', async () => {
    const { gateway, panel } = await openPanel({ sessions: [{ numero: '34600000001', state: 'connected' }] });
    panel.element.labels = labels;
    const server = await startPlain([connected]);
    panel.element.apiBase = `${server.url}/api`;
    panel.element.socketOrigin = server.url;
    await shows(panel, 'Ventas del portal');
    await gateway.stop();
  });

  it('that throw when they are read are logged, and leave the ones before', async () => {
    const errors = consoleErrors();
    const server = await startPlain([connected]);
    const panel = await server.mount();
    panel.element.labels = labels;
    await shows(panel, 'Ventas del portal');
    panel.element.labels = new Proxy<Labels>(
      {},
      {
        ownKeys() {
          throw new Error('no');
        },
      },
    );
    expect(panel.element.labels).to.equal(labels);
    await shows(panel, 'Ventas del portal');
    expect(errors()).to.have.length(1);
    expect(errors()[0]).to.match(/labels cannot be read/);
  });
});
