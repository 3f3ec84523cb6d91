import { deflateSync } from 'node:zlib';
import { encodeBinaryNode } from '@whiskeysockets/baileys';
import { node } from '../../../gateway/test/whatsapp/fake/nodes.ts';
import type { Random } from '../random.ts';
import type { OddFrame } from './odd-frame.ts';

/** The first byte of a frame's content. */
const AS_IS = 0;
const DEFLATED = 2;

/** Tags of the binary format. */
const LIST_8 = 248;
const LIST_16 = 249;
const BINARY_32 = 254;
/** The token of a tag that nothing listens to. */
const TAG = 30;

function odd(name: string, content: (random: Random) => Uint8Array): OddFrame {
  return { name, send: (connection, random) => connection.transmit(connection.seal(content(random))) };
}

function asIs(...bytes: number[]): Buffer {
  return Buffer.from([AS_IS, ...bytes]);
}

function deflated(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([DEFLATED]), deflateSync(bytes, { level: 9 })]);
}

const MESSAGE = encodeBinaryNode(
  node('message', { id: '3EB0', from: '34700000001@s.whatsapp.net', type: 'text', t: '1' }, [
    node('enc', { v: '2', type: 'msg' }, Buffer.alloc(40, 7)),
  ]),
);

/** As many nodes as fit into this many bytes; parsing them costs the client forty times what they cost WhatsApp. */
function smallestNodes(bytes: number): Buffer {
  const each = Buffer.from([LIST_8, 1, TAG]);
  const most = 65_535;
  const list = Buffer.concat([
    Buffer.from([LIST_8, 2, TAG, LIST_16, 255, 255]),
    Buffer.alloc(each.length * most, each),
  ]);
  const lists = Math.floor(bytes / list.length);
  return Buffer.concat([
    Buffer.from([LIST_8, 2, TAG, LIST_16, lists >> 8, lists & 255]),
    Buffer.alloc(list.length * lists, list),
  ]);
}

/** Correctly encrypted, but no node. */
export const ODD_CONTENTS: readonly OddFrame[] = [
  odd('nothing', () => Buffer.alloc(0)),
  odd('a first byte alone', (random) => random.bytes(1)),
  odd('junk', (random) => random.bytes(random.integer(2, 200))),
  odd('junk for a node', (random) => asIs(...random.bytes(random.integer(1, 200)))),
  odd('junk for a compressed node', (random) => Buffer.from([DEFLATED, ...random.bytes(50)])),
  odd('a compressed node that is cut', (random) => deflated(MESSAGE).subarray(0, -random.integer(1, 20))),
  odd('compressed junk', (random) => deflated(random.bytes(100))),
  odd('a compressed nothing', () => deflated(Buffer.alloc(0))),
  odd('100 KB that become 100 MB', () => deflated(Buffer.alloc(100 << 20))),
  odd('4 KB that become a million nodes', () => deflated(smallestNodes(4_000_000))),
  odd('a node that is cut', (random) => MESSAGE.subarray(0, -random.integer(1, MESSAGE.length - 2))),
  odd('a node with a flipped byte', (random) => {
    const bytes = Buffer.from(MESSAGE);
    const at = random.integer(1, bytes.length - 1);
    bytes.writeUInt8(bytes.readUInt8(at) ^ random.integer(1, 255), at);
    return bytes;
  }),
  odd('a node without a tag', () => asIs(LIST_8, 1, 0)),
  odd('an empty list', () => asIs(0)),
  odd('an unknown token', () => asIs(LIST_8, 1, 240)),
  odd('a list that is not there', () => asIs(LIST_8, 2, TAG, LIST_16, 255, 255)),
  odd('a text of 4 GB', () => asIs(LIST_8, 2, TAG, BINARY_32, 255, 255, 255, 255)),
  odd('ten thousand nodes in each other', () => {
    const each = Buffer.from([LIST_8, 2, TAG, LIST_8, 1]);
    return Buffer.concat([Buffer.from([AS_IS]), Buffer.alloc(each.length * 10_000, each)]);
  }),
  {
    name: 'a compressed junk and two nodes in one message',
    send(connection) {
      const contents = [Buffer.from([DEFLATED, 1, 2, 3]), MESSAGE, asIs(0), MESSAGE];
      connection.transmit(Buffer.concat(contents.map((content) => connection.seal(content))));
    },
  },
];
