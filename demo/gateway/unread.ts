import type { Server } from 'node:http';

/**
 * Closes the connection of each client that has read nothing of its answer for `timeout` milliseconds; Node would keep
 * both.
 */
export function endUnread(server: Server, timeout: number): void {
  server.prependListener('request', (_request, response) => {
    const begin = () => response.setTimeout(timeout);
    // Not before the whole answer, or the file, is available: how long that takes is not up to the client.
    response.once('prefinish', begin);
    response.once('pipe', begin);
  });
}
