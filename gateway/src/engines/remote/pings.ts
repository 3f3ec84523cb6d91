import type { WebSocket } from 'ws';

/** Bytes that a server may leave unread of the answers to its pings. */
const MOST_UNREAD = 65_536;

/**
 * Answers pings in place of a WebSocket whose `autoPong` is off: the answers to a flood of pings, which the server does not
 * read, would fill the memory.
 */
export function answerPings(socket: WebSocket): void {
  socket.on('ping', (data) => {
    if (socket.bufferedAmount < MOST_UNREAD) socket.pong(data);
    else socket.terminate();
  });
}
