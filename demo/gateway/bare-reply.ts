import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionError } from 'fastify';
import { errorAnswer } from './replies.ts';

/** Answers on a connection whose request fastify never got, and closes it. */
export function bareReply(connection: Duplex, status: number, message: string): void {
  // Node no longer listens to one that asks for another protocol, and the client may be gone.
  connection.on('error', () => connection.destroy());
  const body = JSON.stringify(errorAnswer(status, message));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  connection.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => connection.destroy());
}

/** Answers what Node could not read as a request, or waited for in vain. */
export function answerClientError({ code }: ConnectionError, connection: Socket): void {
  const [status, message] = CLIENT_ERRORS[code] ?? [400, 'La petición no es válida'];
  // What is written after an answer may become a part of that one.
  if (connection.writable && connection.bytesWritten === 0) bareReply(connection, status, message);
  else connection.destroySoon();
}

const CLIENT_ERRORS: Readonly<Record<string, [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'La petición ha tardado demasiado en llegar'],
  HPE_HEADER_OVERFLOW: [431, 'Las cabeceras de la petición son demasiado grandes'],
};
