import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionError } from 'fastify';
import { errorAnswer } from './replies.ts';

/** Answers and closes a connection whose request never reached fastify. */
export function bareReply(connection: Duplex, status: number, message: string): void {
  // Node does not listen for errors on an upgraded connection, and the client may be gone.
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

/** Answers a request that Node could not parse, or that never arrived in full. */
export function answerClientError({ code }: ConnectionError, connection: Socket): void {
  const [status, message] = CLIENT_ERRORS[code] ?? [400, 'La solicitud no es válida'];
  // Anything written after an earlier answer could become part of it.
  if (connection.writable && connection.bytesWritten === 0) bareReply(connection, status, message);
  else connection.destroySoon();
}

const CLIENT_ERRORS: Readonly<Record<string, [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'La solicitud ha tardado demasiado en llegar'],
  HPE_HEADER_OVERFLOW: [431, 'Las cabeceras de la solicitud son demasiado grandes'],
};
