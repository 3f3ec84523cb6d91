import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { type BinaryNode, S_WHATSAPP_NET } from '@whiskeysockets/baileys';
import { STATES } from '../../src/wire.ts';
import { until } from '../support/until.ts';
import type { Connection } from './fake/connection.ts';
import { signDevice } from './fake/device-identity.ts';
import { frame } from './fake/frames.ts';
import { releaseTimers } from './fake/leftover-timers.ts';
import { readQr } from './fake/linking.ts';
import { node, seconds } from './fake/nodes.ts';
import type { FakeWhatsapp } from './fake/whatsapp.ts';
import { type Lab, NUMERO, OTHER, startLab } from './support/lab.ts';

after(releaseTimers);

/** The first byte says that the rest is compressed, and it is not. */
const NO_NODE = Buffer.from([2, 1, 2, 3]);
const LEFT_OUT = `A frame on the line of ${NUMERO} could not be read, and was left out.`;
const OPENED_AGAIN = `A frame on the line of ${NUMERO} could not be read; the line is opened again.`;

function lineOf(lab: Lab): Connection {
  return lab.whatsapp.phone(NUMERO).devices[0]?.connection ?? assert.fail('no line');
}

/** Resolves once the client has acknowledged it, and so has read what came before. */
function probe(connection: Connection) {
  return connection.query(node('call', { from: `${OTHER}@s.whatsapp.net` }));
}

describe('a frame that is encrypted as it should be and cannot be read', () => {
  const CONTENTS: [what: string, content: Buffer][] = [
    ['is not compressed as it says', NO_NODE],
    ['is empty', Buffer.alloc(0)],
    ['holds no node', Buffer.from([0, 0])],
    ['ends in the middle of a node', Buffer.from([0, 248, 2])],
    ['becomes 64 MB', Buffer.concat([Buffer.from([2]), deflateSync(Buffer.alloc(64 << 20))])],
  ];
  for (const [what, content] of CONTENTS) {
    test(`is left out if it ${what}: the line goes on`, async (t) => {
      const lab = await startLab(t);
      await lab.link();
      const line = lineOf(lab);
      line.transmit(line.seal(content));
      await probe(line);
      assert.deepEqual(lab.printed, [LEFT_OUT]);
      assert.equal((await lab.send([OTHER])).status, 204);
      assert.equal(lab.whatsapp.phone(NUMERO).logins, 1);
    });
  }

  test('does not hold back what follows in the same message', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    const line = lineOf(lab);
    // As if the network had joined them: the probe goes out with the frames before it.
    const transmit = t.mock.method(line, 'transmit', () => {});
    line.transmit(line.seal(NO_NODE));
    line.transmit(line.seal(Buffer.from([0, 0])));
    const answered = probe(line);
    const frames = transmit.mock.calls.flatMap(({ arguments: [bytes = []] }) => [Buffer.from(bytes)]);
    transmit.mock.restore();
    line.transmit(Buffer.concat(frames));
    await answered;
    assert.equal(lab.whatsapp.phone(NUMERO).logins, 1);
  });

  test('is told once, however often it comes', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    for (let time = 0; time < 3; time++) {
      const line = lineOf(lab);
      line.transmit(line.seal(NO_NODE));
      await probe(line);
    }
    assert.deepEqual(lab.printed, [LEFT_OUT]);
  });
});

describe('a frame after which nothing more can be read', () => {
  const FRAMES: [what: string, bytes: (line: Connection) => Buffer[]][] = [
    ['comes twice', (line) => Array<Buffer>(2).fill(line.seal(NO_NODE))],
    ['comes too early', (line) => [line.seal(NO_NODE), line.seal(NO_NODE)].reverse()],
    ['is not encrypted', () => [frame(NO_NODE)]],
    ['is empty', () => [frame(Buffer.alloc(0))]],
  ];
  for (const [what, bytes] of FRAMES) {
    test(`ends its line if it ${what}, and the line comes back`, async (t) => {
      const lab = await startLab(t);
      await lab.link();
      await lab.link(OTHER);
      const before = lab.heard().length;
      const bystander = lab.heard(OTHER).length;
      const line = lineOf(lab);
      for (const message of bytes(line)) line.transmit(message);
      await until(() => lab.heard().slice(before).includes('CONNECTED'), 'the line');
      assert.deepEqual(lab.heard().slice(before), ['OPENING', 'CONNECTED']);
      assert.ok(lab.printed.includes(OPENED_AGAIN), lab.printed.join());
      assert.equal(lab.heard(OTHER).length, bystander);
      assert.equal(lab.whatsapp.phone(OTHER).logins, 1);
      assert.equal(lab.whatsapp.registrations, 2);
      assert.equal((await lab.send([OTHER])).status, 204);
    });
  }

  test('is told once when it comes with each login', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    const broken = frame(NO_NODE);
    lab.whatsapp.stepIn = (moment, connection) => {
      if (moment === 'introduced') connection.transmit(broken);
      return false;
    };
    lineOf(lab).transmit(broken);
    await until(() => lab.whatsapp.phone(NUMERO).logins > 4, 'attempts');
    assert.deepEqual(lab.printed, [OPENED_AGAIN]);
    lab.whatsapp.stepIn = undefined;
    await lab.state(STATES.connected);
    assert.equal(lab.whatsapp.registrations, 1);
  });
});

describe('a line that is not linked', () => {
  /** Gives the line of a session whose code is up. */
  async function lineWithCode(lab: Lab): Promise<Connection> {
    let newest: Connection | undefined;
    lab.whatsapp.stepIn = (_moment, connection) => {
      newest = connection;
      return false;
    };
    await lab.levanta();
    await lab.code();
    return newest ?? assert.fail('no line');
  }

  /** The session shows a new code, and can be linked with it, also by a gateway that starts with what was kept. */
  async function canBeLinked(lab: Lab, code: string): Promise<void> {
    await lab.code(NUMERO, code);
    assert.ok(!lab.heard().includes('ready'), lab.heard().join());
    await lab.restart();
    await lab.link();
  }

  test('is not ready because WhatsApp says that its login has succeeded', async (t) => {
    // The library asks a few questions first, and nobody answers.
    const lab = await startLab(t, { timings: { query: 50 } });
    const line = await lineWithCode(lab);
    const code = await lab.code();
    line.send(node('success', { t: seconds(), lid: '1@lid' }));
    await until(() => lab.heard().includes('OPENING'), 'the end of the line');
    await canBeLinked(lab, code);
  });

  for (const device of [node('device'), node('device', { jid: 'nobody' })]) {
    test(`is not linked by a pairing with ${JSON.stringify(device.attrs)}`, async (t) => {
      const lab = await startLab(t);
      const line = await lineWithCode(lab);
      const code = await lab.code();
      line.query(pairing(lab.whatsapp, code, device)).catch(() => {});
      await until(() => lab.heard().includes('OPENING'), 'the end of the line');
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
