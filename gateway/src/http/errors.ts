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
import { RemoteError } from '../engines/remote/errors.ts';
import { DRAIN_LIMIT } from '../sessions/drain.ts';
import {
  SendFailure,
  type SessionRefusal,
  SessionRefused,
  StartRefused,
  StoreError,
} from '../sessions/errors.ts';
import type { ErrorAnswer } from './schemas.ts';
import {
  failureSentence,
  failureStatus,
  remoteSentence,
  remoteStatus,
  storeFailureSentence,
  storeFailureStatus,
} from './sentences.ts';

/** When to retry a call that fails while the database or a session's gateway changes, in seconds. */
const MOMENT = 5;

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

export function sendError(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send(errorAnswer(status, message));
}

/** Answers a client that has no valid token. */
export function sendDenial(
  reply: FastifyReply,
  { status, message, retryAfter }: { status: number; message: string; retryAfter?: number },
): FastifyReply {
  if (status === 401) reply.header('WWW-Authenticate', 'Bearer');
  if (retryAfter !== undefined) reply.header('Retry-After', String(retryAfter));
  return sendError(reply, status, message);
}

/** Answers a request without a route. */
export function answerNotFound(_request: FastifyRequest, reply: FastifyReply) {
  return sendError(reply, 404, NOT_FOUND);
}

/** Answers an error of a route, or of fastify's own checks. */
export function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof HttpError) {
    if (error.retryAfter !== undefined) reply.header('Retry-After', String(error.retryAfter));
    return sendError(reply, error.status, error.message);
  }
  if (error instanceof SessionRefused) {
    const [status, message] = refusalAnswer(error);
    const retryAfter = RETRY_AFTER[error.reason];
    if (retryAfter !== undefined) reply.header('Retry-After', String(retryAfter));
    return sendError(reply, status, message);
  }
  if (error instanceof RemoteError) return sendError(reply, remoteStatus(error), remoteSentence(error));
  if (error instanceof StartRefused) return sendError(reply, 503, startSentence(error));
  if (error instanceof StoreError) {
    if (error.isPassing) reply.header('Retry-After', String(MOMENT));
    return sendError(reply, storeFailureStatus(error), storeFailureSentence(error));
  }
  if (error instanceof SendFailure) {
    if (error.failed.every(({ reason }) => reason === 'moving')) reply.header('Retry-After', String(MOMENT));
    return sendError(reply, failureStatus(error.failed), failureSentence(error.failed));
  }
  if ('validation' in error && error.validation) {
    return sendError(reply, 400, validationSentence(error.validation[0]));
  }
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  if (status < 500) return sendError(reply, status, REQUEST_SENTENCES[status] ?? 'La solicitud no es válida');
  // A bug of ours: the log needs its place, the screen does not.
  request.log.error({ err: error }, 'An unexpected error occurred.');
  return sendError(reply, 500, 'El servidor no ha podido atender la solicitud');
}

/** Seconds until a refusal may be over. */
const RETRY_AFTER: Partial<Record<SessionRefusal, number>> = {
  draining: DRAIN_LIMIT / 1_000,
  moving: 3,
  'no-database': 5,
  full: 60,
};

const NOT_FOUND = 'No existe lo que se ha pedido';

const REQUEST_SENTENCES: Record<number, string> = {
  404: NOT_FOUND,
  413: 'La solicitud es demasiado grande',
  415: 'La solicitud debe ser JSON',
};

/** Returns the error of a body that breaks the contract. */
function validationSentence(problem: FastifySchemaValidationError | undefined): string {
  const path = problem?.instancePath.slice(1) ?? '';
  if (problem?.keyword === 'required') {
    const field = [path, problem.params.missingProperty].filter(Boolean).join('/');
    return `Falta el campo '${field}' en la solicitud`;
  }
  return path === '' ? 'La solicitud no es válida' : `El campo '${path}' de la solicitud no es válido`;
}

function startSentence({ numero }: StartRefused): string {
  return (
    `WhatsApp no deja levantar la sesión de ${numero}: inténtalo en unos minutos y, ` +
    'si sigue igual, elimínala y agrégala de nuevo'
  );
}

function refusalAnswer({ reason, numero }: SessionRefused): [status: number, message: string] {
  switch (reason) {
    case 'unknown':
      return [404, `No hay ninguna sesión de ${numero}`];
    case 'not-connected':
      return [409, `La sesión de ${numero} no está conectada`];
    case 'deleted':
      return [409, `La sesión de ${numero} se eliminó mientras se levantaba`];
    case 'draining':
      return [503, 'El servidor se está deteniendo: inténtalo de nuevo en unos segundos'];
    case 'moving':
      return [
        503,
        `La sesión de ${numero} está pasando a otro servidor: inténtalo de nuevo en unos segundos`,
      ];
    case 'no-database':
      return [503, 'El servidor no llega a su base de datos: inténtalo de nuevo en unos segundos'];
    case 'full':
      return [503, `Ningún servidor tiene sitio para otra sesión: no se ha levantado la de ${numero}`];
    case 'not-linked':
      return [409, `La sesión de ${numero} no está vinculada a ningún teléfono`];
    case 'connected':
      return [409, `La sesión de ${numero} ya está conectada: no hace falta ningún enlace`];
    case 'not-pairable':
      return [409, `La sesión de ${numero} no espera ningún teléfono: levántala y vuelve a pedir el código`];
    case 'held':
      return [
        409,
        `Este servidor tiene ${numero} entre sus propias sesiones: aquí no se puede llevar también`,
      ];
    case 'single':
      return [409, `El servidor solo admite la sesión «default»: no se puede agregar ${numero}`];
    case 'no-pairing-code':
      return [502, `WhatsApp no dio un código para ${numero}: vuelve a pedirlo o usa el código QR`];
  }
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
  const [status, message] = CLIENT_ERRORS[code] ?? [400, 'La solicitud no es válida'];
  // Text written after an earlier answer could become part of it.
  if (connection.writable && connection.bytesWritten === 0) bareReply(connection, status, message);
  else connection.destroySoon();
}

const CLIENT_ERRORS: Readonly<Record<string, [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'La solicitud ha tardado demasiado en llegar'],
  HPE_HEADER_OVERFLOW: [431, 'Las cabeceras de la solicitud son demasiado grandes'],
};
