import type { Server } from 'node:http';
import helmet from 'helmet';

const headers = helmet({
  // Pages and their files set others.
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  // Whether all of a host speaks TLS is up to the proxy.
  strictTransportSecurity: false,
});

/**
 * Sets the security headers of every answer, those of Socket.IO and of failures included, which @fastify/helmet would
 * not see; a route that needs others overrides them.
 */
export function securityHeaders(server: Server): void {
  server.prependListener('request', (request, response) => {
    headers(request, response, () => {});
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
