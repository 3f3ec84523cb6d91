import { type BinaryNode, encodeBinaryNode } from '@whiskeysockets/baileys';
import type { ServerConnection } from '../../../gateway/test/whatsapp/fake/connection.ts';
import { frame } from '../../../gateway/test/whatsapp/fake/frames.ts';
import { node } from '../../../gateway/test/whatsapp/fake/nodes.ts';
import type { OddFrame } from './odd-frame.ts';

/** A node that asks for nothing and changes nothing. */
const PLAIN: BinaryNode = node('ib', {}, [node('thread_metadata')]);

const sealed = (connection: ServerConnection) => connection.seal(encodeBinaryNode(PLAIN));
/** Size of a frame's length field, in bytes. */
const PREFIX = 3;

/** Breaks the connection's encryption, or the lengths that separate its frames. */
export const ODD_CIPHERTEXTS: readonly OddFrame[] = [
  {
    name: 'a frame that is cut',
    send: (connection, random) =>
      connection.transmit(frame(sealed(connection).subarray(PREFIX, -random.integer(1, 16)))),
  },
  {
    name: 'a frame whose end is missing',
    send: (connection, random) => connection.transmit(sealed(connection).subarray(0, -random.integer(1, 16))),
  },
  {
    name: 'a frame twice',
    send: (connection) => {
      const bytes = sealed(connection);
      connection.transmit(bytes);
      connection.transmit(bytes);
    },
  },
  {
    name: 'two frames in the wrong order',
    send: (connection) => {
      const first = sealed(connection);
      connection.transmit(sealed(connection));
      connection.transmit(first);
    },
  },
  { name: 'a frame that is missing', send: (connection) => void sealed(connection) },
  {
    name: 'a flipped byte',
    send: (connection, random) => {
      const bytes = sealed(connection);
      const at = random.integer(PREFIX, bytes.length - 1);
      bytes.writeUInt8(bytes.readUInt8(at) ^ random.integer(1, 255), at);
      connection.transmit(bytes);
    },
  },
  {
    name: 'a length that is too short',
    send: (connection, random) => {
      const bytes = sealed(connection);
      bytes.writeUIntBE(bytes.length - PREFIX - random.integer(1, 20), 0, PREFIX);
      connection.transmit(bytes);
    },
  },
  {
    name: 'a length that is too long',
    send: (connection, random) => {
      const bytes = sealed(connection);
      bytes.writeUIntBE(bytes.length - PREFIX + random.integer(1, 20), 0, PREFIX);
      connection.transmit(bytes);
    },
  },
  {
    name: 'a length of 16 MB',
    unfinished: true,
    send: (connection, random) =>
      connection.transmit(Buffer.concat([Buffer.from([255, 255, 255]), random.bytes(9)])),
  },
  { name: 'an empty frame', send: (connection) => connection.transmit(frame(Buffer.alloc(0))) },
  {
    name: 'junk in a frame',
    send: (connection, random) => connection.transmit(frame(random.bytes(random.integer(1, 200)))),
  },
  {
    name: 'a node in the clear',
    send: (connection) => connection.transmit(frame(encodeBinaryNode(PLAIN))),
  },
  {
    name: 'a frame byte by byte',
    send: (connection) => {
      for (const byte of sealed(connection)) connection.transmit(Buffer.from([byte]));
    },
  },
];
