import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { type BinaryNode, S_WHATSAPP_NET } from '@whiskeysockets/baileys';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import type { ServerConnection } from './fake/connection.ts';
import { signDevice } from './fake/device-identity.ts';
import { frame } from './fake/frames.ts';
import { readQr } from './fake/linking.ts';
import { node, seconds } from './fake/nodes.ts';
import type { FakeWhatsapp } from './fake/whatsapp.ts';
import { type Lab, NUMERO, OTHER, startLab } from './support/lab.ts';

/** Marked as compressed, but is not. */
const NO_NODE = Buffer.from([2, 1, 2, 3]);
const SKIPPED = 'Skipped an unreadable frame of WhatsApp.';
const RECONNECTING = 'Unreadable frame of WhatsApp; reconnecting.';

function connectionOf(lab: Lab): ServerConnection {
  return lab.whatsapp.phone(NUMERO).devices[0]?.connection ?? assert.fail('no connection');
}

/** Resolves once the client has acknowledged it, and so has read what came before. */
function probe(connection: ServerConnection) {
  return connection.query(node('call', { from: `${OTHER}@s.whatsapp.net` }));
}

describe('a correctly encrypted frame that cannot be decoded', () => {
  const CONTENTS: [what: string, content: Buffer][] = [
    ['is not compressed as it says', NO_NODE],
    ['is empty', Buffer.alloc(0)],
    ['holds no node', Buffer.from([0, 0])],
    ['ends in the middle of a node', Buffer.from([0, 248, 2])],
    ['becomes 64 MB', Buffer.concat([Buffer.from([2]), deflateSync(Buffer.alloc(64 << 20))])],
  ];
  for (const [what, content] of CONTENTS) {
    test(`is skipped if it ${what}, and the connection goes on`, async (t) => {
      const lab = await startLab(t);
      await lab.link();
      const connection = connectionOf(lab);
      connection.transmit(connection.seal(content));
      await probe(connection);
      assert.deepEqual(lab.printed, [SKIPPED]);
      assert.equal((await lab.send([OTHER])).status, 200);
      assert.equal(lab.whatsapp.phone(NUMERO).logins, 1);
    });
  }

  test('does not hold back later frames of the same message', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    const connection = connectionOf(lab);
    // As if joined by the network: the probe is sent together with the frames before it.
    const transmit = t.mock.method(connection, 'transmit', () => {});
    connection.transmit(connection.seal(NO_NODE));
    connection.transmit(connection.seal(Buffer.from([0, 0])));
    const answered = probe(connection);
    const frames = transmit.mock.calls.flatMap(({ arguments: [bytes = []] }) => [Buffer.from(bytes)]);
    transmit.mock.restore();
    connection.transmit(Buffer.concat(frames));
    await answered;
    assert.equal(lab.whatsapp.phone(NUMERO).logins, 1);
  });

  test('is logged once, however often it occurs', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    for (let time = 0; time < 3; time++) {
      const connection = connectionOf(lab);
      connection.transmit(connection.seal(NO_NODE));
      await probe(connection);
    }
    assert.deepEqual(lab.printed, [SKIPPED]);
  });
});

describe('a frame that leaves the connection unreadable', () => {
  const FRAMES: [what: string, bytes: (connection: ServerConnection) => Buffer[]][] = [
    ['comes twice', (connection) => Array<Buffer>(2).fill(connection.seal(NO_NODE))],
    ['comes too early', (connection) => [connection.seal(NO_NODE), connection.seal(NO_NODE)].reverse()],
    ['is not encrypted', () => [frame(NO_NODE)]],
    ['is empty', () => [frame(Buffer.alloc(0))]],
  ];
  for (const [what, bytes] of FRAMES) {
    test(`ends the connection if it ${what}; the session reconnects`, async (t) => {
      const lab = await startLab(t);
      await lab.link();
      await lab.link(OTHER);
      const before = lab.heard().length;
      const bystander = lab.heard(OTHER).length;
      const connection = connectionOf(lab);
      for (const message of bytes(connection)) connection.transmit(message);
      await until(() => lab.heard().slice(before).includes('CONNECTED'), 'the reconnection');
      assert.deepEqual(lab.heard().slice(before), ['OPENING', 'CONNECTED']);
      assert.ok(lab.printed.includes(RECONNECTING), lab.printed.join());
      assert.equal(lab.heard(OTHER).length, bystander);
      assert.equal(lab.whatsapp.phone(OTHER).logins, 1);
      assert.equal(lab.whatsapp.registrations, 2);
      assert.equal((await lab.send([OTHER])).status, 200);
    });
  }

  test('is logged once if it recurs with each login', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    const broken = frame(NO_NODE);
    lab.whatsapp.stepIn = (moment, connection) => {
      if (moment === 'introduced') connection.transmit(broken);
      return false;
    };
    connectionOf(lab).transmit(broken);
    await until(() => lab.whatsapp.phone(NUMERO).logins > 4, 'attempts');
    assert.deepEqual(lab.printed, [RECONNECTING]);
    lab.whatsapp.stepIn = undefined;
    await lab.state(STATES.connected);
    assert.equal(lab.whatsapp.registrations, 1);
  });
});

describe('a connection that is not linked', () => {
  /** Returns the connection of a session that shows a code. */
  async function connectionWithCode(lab: Lab): Promise<ServerConnection> {
    let newest: ServerConnection | undefined;
    lab.whatsapp.stepIn = (_moment, connection) => {
      newest = connection;
      return false;
    };
    await lab.levanta();
    await lab.code();
    return newest ?? assert.fail('no connection');
  }

  /** Asserts that the session shows a new code, and can be linked with it after a restart. */
  async function canBeLinked(lab: Lab, code: string): Promise<void> {
    await lab.code(NUMERO, code);
    assert.ok(!lab.heard().includes('ready'), lab.heard().join());
    await lab.restart();
    await lab.link();
  }

  test('is not ready just because WhatsApp reports a successful login', async (t) => {
    // The library asks a few questions first, which nobody answers.
    const lab = await startLab(t, { timings: { query: 50 } });
    const connection = await connectionWithCode(lab);
    const code = await lab.code();
    connection.send(node('success', { t: seconds(), lid: '1@lid' }));
    await until(() => lab.heard().includes('OPENING'), 'the end of the connection');
    await canBeLinked(lab, code);
  });

  for (const device of [node('device'), node('device', { jid: 'nobody' })]) {
    test(`is not linked by a pairing with ${JSON.stringify(device.attrs)}`, async (t) => {
      const lab = await startLab(t);
      const connection = await connectionWithCode(lab);
      const code = await lab.code();
      connection.query(pairing(lab.whatsapp, code, device)).catch(() => {});
      await until(() => lab.heard().includes('OPENING'), 'the end of the connection');
      await canBeLinked(lab, code);
    });
  }
});

function pairing(whatsapp: FakeWhatsapp, code: string, device: BinaryNode) {
  const { identityKey, advSecret } = readQr(code);
  const { identity } = whatsapp.phone(NUMERO).keys;
  return node('iq', { type: 'set', from: S_WHATSAPP_NET }, [
    node('pair-success', {}, [
      node('device-identity', {}, signDevice(identity, identityKey, 1, advSecret)),
      device,
    ]),
  ]);
}
