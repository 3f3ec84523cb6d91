import { encodeBinaryNode, proto } from '@whiskeysockets/baileys';
import { frame } from '../../../gateway/test/whatsapp/fake/frames.ts';
import { node } from '../../../gateway/test/whatsapp/fake/nodes.ts';
import type { Random } from '../random.ts';
import type { OddFrame } from './odd-frame.ts';

function odd(name: string, content: (random: Random) => Uint8Array): OddFrame {
  return { name, send: (connection, random) => connection.transmit(frame(content(random))) };
}

function hello(fields: proto.HandshakeMessage.IServerHello): Uint8Array {
  return proto.HandshakeMessage.encode({ serverHello: fields }).finish();
}

/** Sent before the handshake is over, when nothing is encrypted yet. */
export const ODD_HELLOS: readonly OddFrame[] = [
  odd('nothing for a hello', () => Buffer.alloc(0)),
  odd('junk for a hello', (random) => random.bytes(random.integer(1, 200))),
  odd('a hello without anything', () => hello({})),
  odd('a hello with junk for keys', (random) =>
    hello({ ephemeral: random.bytes(32), static: random.bytes(48), payload: random.bytes(100) }),
  ),
  odd('a hello with a key that is too short', (random) => hello({ ephemeral: random.bytes(5) })),
  odd("the client's own hello", (random) =>
    proto.HandshakeMessage.encode({ clientHello: { ephemeral: random.bytes(32) } }).finish(),
  ),
  odd('a stanza in the clear', () => encodeBinaryNode(node('success', { t: '1' }))),
  {
    name: 'a million empty frames',
    send: (connection) => connection.transmit(Buffer.alloc(3_000_000)),
  },
  {
    name: 'a hello of 16 MB',
    unfinished: true,
    send: (connection, random) =>
      connection.transmit(Buffer.concat([Buffer.from([255, 255, 255]), random.bytes(20)])),
  },
];
