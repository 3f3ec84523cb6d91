import type { Server } from 'node:http';

/** Security headers of every answer; a route that needs others overrides them. */
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'SAMEORIGIN',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Sets the headers first, so that answers of Socket.IO and of failures have them too. */
export function commonHeaders(server: Server): void {
  server.prependListener('request', (_request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  });
}

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
