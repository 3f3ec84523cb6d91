import type { Random } from '../random.ts';
import type { OddFrame } from './odd-frame.ts';

/** RFC 6455, §5.2. */
interface Header {
  fin?: boolean;
  /** The three reserved bits. */
  reserved?: number;
  opcode: number;
  masked?: boolean;
  /** The announced length; the true one by default. */
  length?: bigint;
}

const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;

function message({ fin = true, reserved = 0, opcode, masked = false, length }: Header, payload: Uint8Array) {
  const announced = length ?? BigInt(payload.length);
  const mask = masked ? 0x80 : 0;
  const first = (fin ? 0x80 : 0) | (reserved << 4) | opcode;
  if (announced < 126n) return Buffer.concat([Buffer.from([first, mask | Number(announced)]), payload]);
  const long = Buffer.alloc(8);
  long.writeBigUInt64BE(announced);
  if (announced < 65_536n)
    return Buffer.concat([Buffer.from([first, mask | 126]), long.subarray(6), payload]);
  return Buffer.concat([Buffer.from([first, mask | 127]), long, payload]);
}

function odd(name: string, header: Header, payload: (random: Random) => Uint8Array, unfinished?: true) {
  const send: OddFrame['send'] = (connection, random) => connection.write(message(header, payload(random)));
  return { name, send, ...(unfinished && { unfinished }) };
}

const some = (random: Random) => random.bytes(random.integer(1, 100));
const NOT_UTF8 = Buffer.from([0xc3, 0x28, 0xff]);

/** Breaks, or stretches, the WebSocket protocol. */
export const ODD_MESSAGES: readonly OddFrame[] = [
  // Its letters are read as the length of a frame.
  odd('text', { opcode: TEXT }, () => Buffer.from('hello, this is no frame'), true),
  odd('text that is no UTF-8', { opcode: TEXT }, () => NOT_UTF8),
  ...[3, 7, 11, 15].map((opcode) => odd(`opcode ${opcode}`, { opcode }, some)),
  odd('a ping in pieces', { opcode: PING, fin: false }, some),
  odd('a ping that is too long', { opcode: PING }, (random) => random.bytes(126)),
  odd('the rest of nothing', { opcode: 0 }, some),
  odd('a masked message', { opcode: BINARY, masked: true }, (random) => random.bytes(20)),
  ...[1, 2, 4].map((reserved) => odd(`reserved bits ${reserved}`, { opcode: BINARY, reserved }, some)),
  odd('a message of 2^53 bytes', { opcode: BINARY, length: 2n ** 53n }, some),
  odd('a message of 2^63 bytes', { opcode: BINARY, length: 2n ** 63n }, some),
  odd('a message of 101 MB', { opcode: BINARY, length: 101n << 20n }, some),
  odd('a message of 99 MB', { opcode: BINARY, length: 99n << 20n }, some, true),
  odd('a message whose end is missing', { opcode: BINARY, fin: false }, some, true),
  odd('a message that is cut', { opcode: BINARY, length: 200n }, some, true),
  odd('a close of one byte', { opcode: CLOSE }, (random) => random.bytes(1)),
  ...[0, 999, 1_005, 1_006, 65_535].map((code) =>
    odd(`a close with ${code}`, { opcode: CLOSE }, () => Buffer.from([code >> 8, code & 255])),
  ),
  odd('a close that is no UTF-8', { opcode: CLOSE }, () => Buffer.from([0x03, 0xe8, ...NOT_UTF8])),
  {
    name: 'a thousand empty messages',
    send: (connection) =>
      connection.write(
        Buffer.concat(Array.from({ length: 1_000 }, () => message({ opcode: BINARY }, Buffer.alloc(0)))),
      ),
  },
  {
    name: 'junk past the WebSocket',
    unfinished: true,
    send: (connection, random) => connection.write(random.bytes(random.integer(1, 300))),
  },
];
