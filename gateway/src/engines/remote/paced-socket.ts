import type { WebSocket } from 'ws';
import { FEED, MOST_UNREAD, Pace } from './limits.ts';

/**
 * Counts what the server of a WebSocket sends, and answers its pings instead of the WebSocket, since the answers to a
 * flood of pings would fill the memory.
 *
 * @param flooded called once, when it sends too much
 * @returns counts a message, and returns whether it may be read
 */
export function paced(socket: WebSocket, flooded: () => void): (bytes: number) => boolean {
  const messages = new Pace(FEED.messages);
  const volume = new Pace(FEED.bytes);
  let isFlooded = false;
  const takes = (bytes: number) => {
    // Received messages continue to arrive.
    if (isFlooded) return false;
    isFlooded = !messages.takes() || !volume.takes(bytes);
    if (isFlooded) flooded();
    else if (socket.bufferedAmount >= MOST_UNREAD) socket.terminate();
    return !isFlooded;
  };
  socket.on('ping', (data) => {
    if (takes(data.length)) socket.pong(data);
  });
  return takes;
}
