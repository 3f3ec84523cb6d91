import type { FastifyInstance } from 'fastify';

/**
 * Logs one line per answer, and tells the client its request's id. The line names the route's pattern and never the
 * URL, whose query may hold a token.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode: status } = reply;
    const level = levelOf(status);
    const { method, ip: address, routeOptions } = request;
    const ms = Math.round(reply.elapsedTime);
    request.log[level]({ method, route: routeOptions.url, status, ms, address }, 'Request answered');
  });
}

/** Refusals that pass are no errors: 503 comes with what is the matter, as at the end of the gateway. */
function levelOf(status: number): 'debug' | 'warn' | 'error' {
  if (status >= 500 && status !== 503) return 'error';
  return status === 429 || status === 503 ? 'warn' : 'debug';
}
