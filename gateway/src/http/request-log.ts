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

/** 500 is a bug of ours; other failures are named by whoever has them, such as the disk or WhatsApp. */
function levelOf(status: number): 'debug' | 'warn' | 'error' {
  if (status === 500) return 'error';
  return status > 500 || status === 429 ? 'warn' : 'debug';
}
