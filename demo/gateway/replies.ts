import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import { SendFailure, SessionRefused, StartRefused, StoreError } from './errors.ts';
import { logFailure } from './log.ts';
import { failureSentence, failureStatus } from './send-failures.ts';
import { storeFailureSentence, storeFailureStatus } from './store-failures.ts';

/** The form of every error answer; `message` is a sentence for the screen. */
export interface ErrorAnswer {
  statusCode: number;
  /** The reason phrase of the status. */
  error: string;
  message: string;
}

/** The JSON schema of {@link ErrorAnswer}. */
export const errorSchema = {
  type: 'object',
  required: ['statusCode', 'error', 'message'],
  properties: {
    statusCode: { type: 'integer' },
    error: { type: 'string' },
    message: { type: 'string' },
  },
};

/** An error with a status and a sentence for the screen. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function errorAnswer(status: number, message: string): ErrorAnswer {
  return { statusCode: status, error: STATUS_CODES[status] ?? 'Error', message };
}

export function sendError(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send(errorAnswer(status, message));
}

/** Answers a request without a route. */
export function answerNotFound(_request: FastifyRequest, reply: FastifyReply) {
  return sendError(reply, 404, NOT_FOUND);
}

/** Answers an error of a route, or of fastify's own checks. */
export function answerError(error: FastifyError | Error, _request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof HttpError) return sendError(reply, error.status, error.message);
  if (error instanceof SessionRefused) {
    const [status, message] = refusalAnswer(error);
    return sendError(reply, status, message);
  }
  if (error instanceof StartRefused) return sendError(reply, 503, startSentence(error));
  if (error instanceof StoreError) {
    return sendError(reply, storeFailureStatus(error), storeFailureSentence(error));
  }
  if (error instanceof SendFailure) {
    return sendError(reply, failureStatus(error.failed), failureSentence(error.failed));
  }
  if ('validation' in error && error.validation) {
    return sendError(reply, 400, validationSentence(error.validation[0]));
  }
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  if (status < 500) return sendError(reply, status, REQUEST_SENTENCES[status] ?? 'La solicitud no es válida');
  // A bug of ours: the log needs its place, the screen does not.
  logFailure(error);
  return sendError(reply, 500, 'El servidor no ha podido atender la solicitud');
}

const NOT_FOUND = 'No existe lo que se ha pedido';

const REQUEST_SENTENCES: Record<number, string> = {
  404: NOT_FOUND,
  413: 'La solicitud es demasiado grande',
  415: 'La solicitud debe ser JSON',
};

/** Returns what in the body breaks the contract. */
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
  }
}
