import { type ManagerOptions, NodeWebSocket } from 'socket.io-client';
import * as parser from 'socket.io-parser';
import type { WebSocket } from 'ws';
import { excessIn, LONGEST } from '../remote/limits.ts';

/** Skips packets that would take seconds to parse: anybody can send a message that causes one. */
class Decoder extends parser.Decoder {
  override add(packet: unknown): void {
    if (typeof packet !== 'string' || excessIn(packet) === undefined) super.add(packet);
  }
}

class BoundedSocket extends NodeWebSocket {
  override createSocket(
    uri: string,
    protocols: string | string[] | undefined,
    options: Readonly<Record<string, unknown>>,
  ): WebSocket {
    return super.createSocket(uri, protocols, { ...options, maxPayload: LONGEST.event });
  }
}

/** The options that limit what Socket.IO accepts. */
export const BOUNDED: Pick<ManagerOptions, 'transports' | 'parser'> = {
  transports: [BoundedSocket],
  parser: { ...parser, Decoder },
};
