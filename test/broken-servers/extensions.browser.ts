import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { EXTENSIONS, type WireSession } from '../../src/wire.ts';
import { consoleErrors } from '../support/console.ts';
import type { Panel } from '../support/panel.ts';
import { startPlain } from '../support/plain.ts';
import type { Chatter } from '../support/plain-server.ts';

const NUMERO = '5491155550001';
const OTHER = '5491155550002';
const STRANGER = '34600000001';
const connected = (numero: string): WireSession => ({ numero, state: 'CONNECTED', waiting: false });
const all: Chatter = { announcements: [{ extensions: EXTENSIONS }] };

/** Of each extension: of a stranger, of a wrong type, and of no type at all. */
const HOSTILE: NonNullable<Chatter['pushes']> = [
  ['server:extensions', { extensions: [...EXTENSIONS, 'teleport', 7, null] }],
  ['session:created', null],
  ['session:created', { state: 'CONNECTED' }],
  ['session:deleted', NUMERO],
  ['session:deleted', { numero: STRANGER }],
  [`session:details:${STRANGER}`, { label: 'Nadie' }],
  ['session:details:', { label: 'Nadie' }],
  [`session:details:${NUMERO}`, null],
  [`session:details:${NUMERO}`, { label: { text: 'x' }, since: 'ayer', reason: 7, link: [], name: ['x'] }],
  [
    `session:details:${NUMERO}`,
    { since: Number.MAX_VALUE, reason: { code: 'x' }, link: { id: 'a1', expires: 1e300 } },
  ],
  [`session:code:${STRANGER}`, { code: 'ABCD1234', expires: 9e12 }],
  [`session:code:${NUMERO}`, { code: '<b>ABCD1234</b>', expires: 9e12 }],
  [`session:code:${NUMERO}`, 7],
  ['message:ack', 7],
  ['message:ack', { id: 'unknown', remitente: NUMERO, contacto: 1, status: 'read' }],
  ['message:ack', { id: 'unknown', remitente: STRANGER, contacto: 1, status: 'burnt' }],
];

/** Waits for the next good push: all that was pushed before it has come too. */
async function expectAlive(panel: Panel, server: Awaited<ReturnType<typeof startPlain>>): Promise<void> {
  await server.push(undefined, 'session:change_state', { numero: NUMERO, state: 'OPENING' });
  await waitFor(() => expect(panel.text).to.include('OPENING'));
  await server.push(undefined, `session:ready:${NUMERO}`);
  await waitFor(() => expect(panel.text).not.to.include('OPENING'));
  expect(panel.busy).to.equal(false);
  expect(panel.notices()).to.deep.equal([]);
}

describe('a server whose pushes of extensions are wrong', () => {
  it('changes nothing by them, and the next good one counts', async () => {
    const errors = consoleErrors();
    const server = await startPlain([connected(NUMERO), connected(OTHER)], all);
    const panel = await server.mount();
    await panel.card(OTHER);
    // A state that lasted a second is announced.
    const before = panel.mainText;
    for (let times = 0; times < 3; times += 1) await server.pushAll(HOSTILE);
    await expectAlive(panel, server);
    expect(panel.mainText).to.equal(before);
    // Each kind of mistake once.
    expect(new Set(errors()).size).to.equal(errors().length);
    expect((await server.traffic()).calls).to.have.length(2);
  });

  it('changes nothing by them before its list is there', async () => {
    consoleErrors();
    const server = await startPlain([connected(NUMERO), connected(OTHER)], { ...all, pushes: HOSTILE });
    const release = await server.holdList();
    const panel = await server.mount();
    await server.pushAll(HOSTILE);
    await release();
    await panel.card(OTHER);
    await expectAlive(panel, server);
    expect(panel.all('article')).to.have.length(2);
  });
});
