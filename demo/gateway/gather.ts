import { EventEmitter, once } from 'node:events';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** How long what a WebSocket is to be told waits for more of it, in milliseconds; a push waits twice at most. */
const GATHER = 10;

/**
 * Writes to each WebSocket of the server at most once in {@link GATHER}: where many panels hear many pushes, writing
 * each of them by itself is most of the work that the gateway has.
 *
 * @returns resolves when what was pushed before has been written
 */
export function gatherWrites(server: Server): () => Promise<void> {
  const sockets = new Set<Duplex>();
  const rounds = new EventEmitter().setMaxListeners(0);
  let timer: NodeJS.Timeout | undefined;
  const writeAll = () => {
    for (const socket of sockets) {
      if (socket.writableLength === 0) continue;
      socket.uncork();
      socket.cork();
    }
    rounds.emit('over');
  };
  server.on('upgrade', (_request, socket) => {
    socket.cork();
    sockets.add(socket);
    timer ??= setInterval(writeAll, GATHER);
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size > 0) return;
      clearInterval(timer);
      timer = undefined;
      rounds.emit('over');
    });
  });
  return async () => {
    // Engine.IO hands over what comes second when the first has been written.
    for (let round = 0; round < 2; round += 1) if (sockets.size > 0) await once(rounds, 'over');
  };
}
