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
