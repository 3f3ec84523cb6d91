import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Scope } from '../../../../test/support/scope.ts';

/** A secret that signs notifications. */
export const SECRET = `whsec_${Buffer.alloc(32, 'clave').toString('base64')}`;

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of notifications, with what it has received. */
export interface Receiver {
  readonly port: number;
  readonly url: string;
  readonly received: Received[];
}

/** @param answer called once a whole request was received; by default accepts it */
export async function startReceiver(
  scope: Scope,
  answer: RequestListener = (_request, response) => response.end(),
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      answer(request, response);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}/avisos`, received };
}
