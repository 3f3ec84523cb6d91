import { type ManagerOptions, NodeWebSocket } from 'socket.io-client';
import * as parser from 'socket.io-parser';
import type { WebSocket } from 'ws';
import { excessIn, FEED } from '../remote/limits.ts';
import { paced } from '../remote/paced-socket.ts';

/** Skips packets that would take seconds to parse: anybody can send a message that causes one. */
class Decoder extends parser.Decoder {
  override add(packet: unknown): void {
    if (typeof packet !== 'string' || excessIn(packet) === undefined) super.add(packet);
  }
}

/**
 * Returns the options that limit what Socket.IO accepts.
 *
 * @param flooded called when the server has sent too much
 */
export function boundedSocket(flooded: () => void): Pick<ManagerOptions, 'transports' | 'parser'> {
  class BoundedSocket extends NodeWebSocket {
    override createSocket(
      uri: string,
      protocols: string | string[] | undefined,
      options: Readonly<Record<string, unknown>>,
    ): WebSocket {
      // The history of a new link comes in events of many MB.
      const bounds = { maxPayload: FEED.bytes, autoPong: false };
      const socket: WebSocket = super.createSocket(uri, protocols, { ...options, ...bounds });
      const takes = paced(socket, flooded);
      socket.on('message', (data) => takes(String(data).length));
      return socket;
    }
  }
  return { transports: [BoundedSocket], parser: { ...parser, Decoder } };
}
