import { EventEmitter, once } from 'node:events';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Milliseconds between two writes to a WebSocket; a push waits for two of them at most. */
const WRITE_INTERVAL = 10;

/**
 * Writes to each WebSocket of the server at most once per {@link WRITE_INTERVAL}. With many panels and many pushes,
 * a write for each push would be most of the gateway's work.
 *
 * @returns a function that resolves once everything pushed before has been written
 */
export function batchWrites(server: Server): () => Promise<void> {
  const sockets = new Set<Duplex>();
  const batches = new EventEmitter().setMaxListeners(0);
  let timer: NodeJS.Timeout | undefined;
  const writeAll = () => {
    for (const socket of sockets) {
      if (socket.writableLength === 0) continue;
      socket.uncork();
      socket.cork();
    }
    batches.emit('written');
  };
  server.on('upgrade', (_request, socket) => {
    socket.cork();
    sockets.add(socket);
    timer ??= setInterval(writeAll, WRITE_INTERVAL);
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size > 0) return;
      clearInterval(timer);
      timer = undefined;
      batches.emit('written');
    });
  });
  return async () => {
    // Engine.IO hands over a second packet only when the first has been written.
    for (let batch = 0; batch < 2; batch += 1) if (sockets.size > 0) await once(batches, 'written');
  };
}
