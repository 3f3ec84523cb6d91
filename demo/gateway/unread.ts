import type { Server } from 'node:http';

/**
 * Ends the connection of each client that has read nothing of its answer for so long, in milliseconds: Node keeps it,
 * and the answer with it.
 */
export function endUnread(server: Server, timeout: number): void {
  server.prependListener('request', (_request, response) => {
    const begin = () => response.setTimeout(timeout);
    // From when all of the answer is there, or a file is: how long that takes is not the client's doing.
    response.once('prefinish', begin);
    response.once('pipe', begin);
  });
}
