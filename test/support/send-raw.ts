import type { Server } from 'socket.io';
import { WebSocket } from 'ws';

/** Sends a text over every WebSocket of a Socket.IO server, below its protocols; returns how many there were. */
export function sendRaw({ engine }: Server, text: string): number {
  const clients: Record<string, { transport: object }> = Reflect.get(engine, 'clients');
  const webSockets = Object.values(clients)
    .map(({ transport }): unknown => Reflect.get(transport, 'socket'))
    .filter((socket) => socket instanceof WebSocket);
  for (const webSocket of webSockets) webSocket.send(text);
  return webSockets.length;
}
