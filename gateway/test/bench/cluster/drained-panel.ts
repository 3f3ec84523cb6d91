import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';

/** A WebSocket frame with Socket.IO's `40`, which joins; masked with zeros. */
const JOIN = Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x34, 0x30]);
const JOINED = '40{';

/**
 * A panel whose WebSocket is read and thrown away: the gateway has all the work with it, and the benchmark none. It
 * answers no pings, so the gateway closes it after its ping timeout.
 */
export async function connectDrained(url: string): Promise<Socket> {
  const handshake = request(`${url}/socket.io/?EIO=4&transport=websocket`, {
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': Buffer.alloc(16).toString('base64'),
    },
  });
  handshake.end();
  // Types of events do not say what they carry.
  const [, socket, head] = (await once(handshake, 'upgrade')) as [IncomingMessage, Socket, Buffer];
  let heard = String(head);
  socket.on('error', () => {});
  socket.write(JOIN);
  while (!heard.includes(JOINED)) heard += String((await once(socket, 'data'))[0]);
  return socket.resume();
}
