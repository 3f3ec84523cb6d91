import type { Random } from '../random.ts';

/** A raw packet: text or, over a WebSocket, bytes. */
export type RawPacket = string | Buffer;

/** Engine.IO's types: open, close, ping, pong, message, upgrade, noop; and invalid ones. */
const ENGINE_TYPES = ['0', '1', '2', '3', '4', '5', '6', '7', 'b', '-', ''];
/** Socket.IO's types: CONNECT, DISCONNECT, EVENT, ACK, CONNECT_ERROR, BINARY_EVENT, BINARY_ACK; and invalid ones. */
const SOCKET_TYPES = ['0', '1', '2', '3', '4', '5', '6', '7', ' ', ''];
const NUMERO = '5491155550001';

/** Returns any packet that a server can send, valid or not. */
export function anyPacket(random: Random): RawPacket {
  if (random.chance(0.08)) return random.bytes(random.integer(0, 40));
  const type = random.chance(0.6) ? '4' : random.pick(ENGINE_TYPES);
  const text = type + (type === '4' ? anySocketPacket(random) : anyEngineData(random));
  return random.chance(0.15) ? mutilated(text, random) : text;
}

function anyEngineData(random: Random): string {
  const open = {
    sid: anyValue(random, 1),
    upgrades: random.pick<unknown>([[], ['websocket'], ['webtransport'], 'websocket', 7, null]),
    pingInterval: random.pick<unknown>([25_000, 0, -1, 1e12, 'a', null]),
    pingTimeout: random.pick<unknown>([20_000, 0, -1, 1e12, {}, null]),
    maxPayload: random.pick<unknown>([1_000_000, 0, 'x']),
  };
  return random.pick(['', 'probe', JSON.stringify(open), '{', 'null', '[]', '"text"', '0', '{}']);
}

function anySocketPacket(random: Random): string {
  return [
    random.pick(SOCKET_TYPES),
    random.pick(['', '', '', '1-', '0-', '-1-', '99999999999-', 'x-', '1']),
    random.pick(['', '', '', '/,', '/otro,', '/', '/[', '/{"a":1},']),
    random.pick(['', '', '', '0', '12', '-3', '1e3', '99999999999999999999']),
    random.pick(['', ' ', () => JSON.stringify(anyPayload(random)), () => anyText(random)].map(text)),
  ].join('');
}

function anyPayload(random: Random): unknown {
  const events = ['qr', 'disconnected', 'authenticated', 'qr_timeout', 'ready', 'nada'];
  const reserved = ['connect', 'connect_error', 'disconnect', 'newListener', '__proto__', 'constructor'];
  return random.pick<unknown>([
    [`session:${random.pick(events)}:${random.pick([NUMERO, '', '..', '/', 'a b'])}`, anyValue(random, 2)],
    ['session:change_state', anyValue(random, 2), anyValue(random, 2)],
    ['session:change_state', { numero: NUMERO, state: anyValue(random, 1) }],
    [random.pick<unknown>([random.pick(reserved), 5, null, {}, '']), anyValue(random, 2)],
    { message: anyValue(random, 1), data: anyValue(random, 2) },
    { sid: anyValue(random, 1), pid: anyValue(random, 1) },
    { _placeholder: true, num: random.integer(-1, 3) },
    ['evento', { _placeholder: true, num: random.pick<unknown>([0, 1, -1, 'x', 1e9]) }],
    anyValue(random, 3),
  ]);
}

function anyValue(random: Random, depth: number): unknown {
  const leaf: unknown[] = [
    null,
    true,
    0,
    -1,
    1e308,
    '',
    NUMERO,
    'CONNECTED',
    '\u2028',
    '<b>x</b>',
    '\0',
    '\ud83d\ude00',
  ];
  if (depth === 0 || random.chance(0.5)) return random.pick(leaf);
  const inner = () => anyValue(random, depth - 1);
  return random.chance(0.5) ? [inner(), inner()] : { numero: inner(), state: inner(), toString: inner() };
}

function anyText(random: Random): string {
  return random.bytes(random.integer(1, 12)).toString('latin1');
}

/** Cuts a packet, doubles it, or changes a character. */
function mutilated(packet: string, random: Random): string {
  const at = random.integer(0, packet.length);
  return random.pick([
    packet.slice(0, at),
    packet + packet,
    packet.slice(0, at) + String.fromCharCode(random.integer(0, 0x3ff)) + packet.slice(at + 1),
  ]);
}

function text(value: string | (() => string)): string {
  return typeof value === 'string' ? value : value();
}
