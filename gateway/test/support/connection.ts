import { connect, type Socket } from 'node:net';
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
