import type { Server } from 'node:http';

/** What browsers are to keep in mind of every answer; a route that means otherwise sets its own over these. */
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'SAMEORIGIN',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Sets them before anybody answers, so that no answer is without: those of Socket.IO and of failures neither. */
export function commonHeaders(server: Server): void {
  server.prependListener('request', (_request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  });
}
