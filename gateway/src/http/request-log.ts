import type { FastifyInstance } from 'fastify';
import type { ClientWarnings } from '../security/client-warnings.ts';

/** The header with a request's id. */
export const REQUEST_ID = 'x-request-id';

const TEXT = 'Request answered';

/**
 * Logs one line per answer, and tells the client its request's id. The line names the route's pattern and never the
 * URL, whose query may hold a token.
 */
export function logRequests(app: FastifyInstance, warnings: ClientWarnings): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header(REQUEST_ID, request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode: status } = reply;
    const { method, ip: address, routeOptions, log } = request;
    const fields = { method, route: routeOptions.url, status, ms: Math.round(reply.elapsedTime), address };
    if (EVERYBODYS.has(status)) warnings.warn(log, TEXT, fields);
    else log[levelOf(status)](fields, TEXT);
  });
}

/** The failures that clients without a token can cause too: too many calls, and a gateway that is not ready. */
const EVERYBODYS = new Set([429, 503]);

/** 500 is a bug of ours; the source of other failures logs them, such as the disk or WhatsApp. */
function levelOf(status: number): 'debug' | 'warn' | 'error' {
  if (status === 500) return 'error';
  return status > 500 ? 'warn' : 'debug';
}
