import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
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
