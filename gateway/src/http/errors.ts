import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type {
  ConnectionError,
  FastifyError,
  FastifyReply,
  FastifyRequest,
  FastifySchemaValidationError,
} from 'fastify';
import type { ErrorAnswer } from './schemas.ts';
import { answerTo } from './sentences.ts';

/** An error with a status and a sentence for the screen. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  /** In seconds. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export function errorAnswer(status: number, message: string): ErrorAnswer {
  return { statusCode: status, error: STATUS_CODES[status] ?? 'Error', message };
}

/** @param retryAfter in seconds */
export function sendError(
  reply: FastifyReply,
  status: number,
  message: string,
  retryAfter?: number,
): FastifyReply {
  if (retryAfter !== undefined) reply.header('Retry-After', String(retryAfter));
  return reply.code(status).send(errorAnswer(status, message));
}

/** Answers a client that has no valid token. */
export function sendDenial(
  reply: FastifyReply,
  { status, message, retryAfter }: { status: number; message: string; retryAfter?: number },
): FastifyReply {
  if (status === 401) reply.header('WWW-Authenticate', 'Bearer');
  return sendError(reply, status, message, retryAfter);
}

export function answerNotFound(_request: FastifyRequest, reply: FastifyReply) {
  return sendError(reply, 404, NOT_FOUND);
}

/** Answers an error of a route, or of fastify's own checks. */
export function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof HttpError) return sendError(reply, error.status, error.message, error.retryAfter);
  const known = answerTo(error);
  if (known) return sendError(reply, ...known);
  if ('validation' in error && error.validation) {
    const isMissing = error.validationContext === 'body' && request.body === undefined;
    return sendError(reply, 400, isMissing ? NO_BODY : validationSentence(error.validation[0]));
  }
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  if (status < 500)
    return sendError(reply, status, REQUEST_SENTENCES[status] ?? 'La solicitud no es válida.');
  // A bug of ours: the log needs its place, the screen does not.
  request.log.error({ err: error }, 'An unexpected error occurred.');
  return sendError(reply, 500, UNEXPECTED);
}

/** All that clients learn of an unexpected error. */
export const UNEXPECTED = 'El servidor no pudo atender la solicitud.';

const NOT_FOUND = 'No existe lo que se pidió.';

const NO_BODY = 'La solicitud necesita un cuerpo en JSON.';

const REQUEST_SENTENCES: Record<number, string> = {
  404: NOT_FOUND,
  413: 'La solicitud es demasiado grande.',
  415: 'La solicitud debe ser JSON.',
};

/** Returns the error of a body that breaks the contract. */
function validationSentence(problem: FastifySchemaValidationError | undefined): string {
  const path = problem?.instancePath.slice(1) ?? '';
  if (problem?.keyword === 'required') {
    const field = [path, problem.params.missingProperty].filter(Boolean).join('/');
    return `Falta el campo '${field}' en la solicitud.`;
  }
  return path === '' ? 'La solicitud no es válida.' : `El campo '${path}' de la solicitud no es válido.`;
}

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
  const [status, message] = CLIENT_ERRORS[code] ?? [400, 'La solicitud no es válida.'];
  // Text written after an earlier answer could become part of it.
  if (connection.writable && connection.bytesWritten === 0) bareReply(connection, status, message);
  else connection.destroySoon();
}

const CLIENT_ERRORS: Readonly<Record<string, [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'La solicitud tardó demasiado en llegar.'],
  HPE_HEADER_OVERFLOW: [431, 'Las cabeceras de la solicitud son demasiado grandes.'],
};
