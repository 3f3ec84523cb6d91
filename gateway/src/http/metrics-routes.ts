import fastify, { type FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { LOOPBACK } from '../security/addresses.ts';
import { answerError, answerNotFound } from './errors.ts';
import { refuseForeignPages } from './guard.ts';

/** Registers the metrics, as Prometheus reads them, at the root of `app`. */
export function metricsRoutes(app: FastifyInstance, registry: Registry): void {
  app.get('/', { config: { right: 'see', ofAll: true } }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}

/** A server of the metrics alone, for this machine, without a token; not for pages of any origin but its own. */
export function metricsServer(registry: Registry): FastifyInstance {
  const app = fastify({ forceCloseConnections: true, exposeHeadRoutes: false });
  app.setErrorHandler<Error>(answerError);
  app.setNotFoundHandler(answerNotFound);
  refuseForeignPages(app, { allowOrigins: [], host: LOOPBACK });
  app.register(async (metrics) => metricsRoutes(metrics, registry), { prefix: '/metrics' });
  return app;
}
