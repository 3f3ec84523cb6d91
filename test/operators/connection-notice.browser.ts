import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { jumpAhead } from '../support/browser-clock.ts';
import { consoleErrors } from '../support/console.ts';
import { existing, mount, mountReady, openPanel } from '../support/panel.ts';

const FIRST = '5491155550001';
const sessions = [{ numero: FIRST, state: 'connected' as const }];

describe('the connection notice', () => {
  const NOTICE =
    /Sin conexión con el servidor desde las \d\d:\d\d\. Lo que ves puede haber cambiado\. Reintentando…/;

  it('says since when the live connection is away, after five seconds, until it is back', async () => {
    consoleErrors();
    const { gateway, panel } = await openPanel({ sessions }, { 'connection-notice': '' });
    const card = await panel.card(FIRST);
    const look = () => getComputedStyle(existing(card.parentElement)).filter;
    expect(look()).to.equal('none');
    await gateway.stop();
    jumpAhead(5000);
    await waitFor(() => expect(panel.text).to.match(NOTICE));
    const line = existing(panel.all('status').find(({ textContent }) => NOTICE.test(textContent)));
    expect(line.closest('.bar')).to.be.ok;
    expect(line.getBoundingClientRect().bottom).to.be.at.most(card.getBoundingClientRect().top);
    expect(look(), 'grey').to.equal('grayscale(1)');
    await gateway.restart({ sessions });
    await waitFor(() => expect(panel.text).not.to.match(NOTICE));
    await waitFor(() => expect(look()).to.equal('none'));
  });

  it('comes too where there never was a connection', async () => {
    consoleErrors();
    const panel = await mount(undefined, { 'connection-notice': '', 'socket-origin': 'http://127.0.0.1:9' });
    await waitFor(() => expect(panel.root.querySelector('.main')).to.exist);
    jumpAhead(5000);
    await waitFor(() => expect(panel.text).to.match(NOTICE));
  });

  it('does not come by default', async () => {
    consoleErrors();
    const { gateway, panel } = await openPanel({ sessions });
    const other = await mountReady(gateway, { 'connection-notice': '' });
    await gateway.stop();
    jumpAhead(6000);
    await waitFor(() => expect(other.text).to.match(NOTICE));
    expect(panel.text).not.to.match(NOTICE);
  });
});

describe('by what the server tells people', () => {
  const WORDS = 'Se avisa por webhook y WhatsApp';
  const announcement = { extensions: [], notifies: 'webhook y WhatsApp' };

  it('is said beside the heading, until an announcement without it', async () => {
    const { gateway, panel } = await openPanel({ sessions: [] });
    const box = existing(panel.root.querySelector('.empty'));
    const { top } = box.getBoundingClientRect();
    expect(panel.text).not.to.include('Se avisa por');
    await gateway.push('server:extensions', announcement);
    await waitFor(() => expect(panel.text).to.include(WORDS));
    expect(panel.text).to.include('No hay sesiones activas');
    expect(box.getBoundingClientRect().top, 'in the line of the heading').to.equal(top);
    const { bottom } = panel.get('heading', 'Sesiones activas').getBoundingClientRect();
    expect(top - bottom, 'the room below the heading').to.be.within(12, 20);
    expect(panel.all('status').map(({ textContent }) => textContent)).not.to.include(WORDS);
    await gateway.push('server:extensions', { extensions: [] });
    await waitFor(() => expect(panel.text).not.to.include('Se avisa por'));
  });
});
