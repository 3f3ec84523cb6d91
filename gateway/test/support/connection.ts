import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { io } from 'socket.io-client';
import type { Scope } from '../../../test/support/scope.ts';
import { until } from '../../../test/support/until.ts';
import type { Gateway } from '../../src/gateway.ts';

/** Sends a raw Latin-1 text; `received` resolves with everything that comes back until the connection is closed. */
export function openConnection(
  { url }: Pick<Gateway, 'url'>,
  text: string,
): { connection: Socket; received: Promise<Buffer> } {
  const { hostname, port } = new URL(url);
  const connection = connect(Number(port), hostname);
  connection.write(text, 'latin1');
  const parts: Buffer[] = [];
  connection.on('data', (part) => parts.push(part));
  // A connection that the gateway closes during a write ends with an error.
  connection.on('error', () => {});
  const received = new Promise<Buffer>((resolve) => {
    connection.on('close', () => resolve(Buffer.concat(parts)));
  });
  return { connection, received };
}

/**
 * Makes a call whose body is late: resolves once the gateway has let its head pass.
 *
 * @returns sends the body, and resolves with the status of the answer
 */
export async function callLate(
  { url, app }: Pick<Gateway, 'url' | 'app'>,
  path: string,
  { method, body, headers }: { method: string; body: unknown; headers: Record<string, string> },
): Promise<() => Promise<number>> {
  const text = JSON.stringify(body);
  const call = request(url + path, {
    method,
    headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text), ...headers },
  });
  call.flushHeaders();
  await once(app.server, 'request');
  await turn();
  return async () => {
    call.end(text);
    const [answer]: IncomingMessage[] = await once(call, 'response');
    return answer?.resume().statusCode ?? 0;
  };
}

/** Resolves with a socket's error over each transport, or `connected`. */
export async function connection(
  scope: Scope,
  { url }: Pick<Gateway, 'url'>,
  auth: object,
  namespace = '/',
  extraHeaders?: Record<string, string>,
): Promise<string> {
  const answers = new Set<string>();
  for (const transport of ['polling', 'websocket']) {
    const socket = io(url + namespace, {
      auth,
      extraHeaders,
      forceNew: true,
      reconnection: false,
      transports: [transport],
    });
    scope.after(() => socket.disconnect());
    let answer: string | undefined;
    socket.on('connect', () => {
      answer = 'connected';
    });
    socket.on('connect_error', (error) => {
      answer = error.message;
    });
    answers.add(await until(() => answer, `an answer over ${transport}`));
  }
  return [...answers].join();
}
