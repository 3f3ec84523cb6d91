import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { OriginPolicy } from '../security/origins.ts';
import { sendError } from './errors.ts';
import { refuseForeignPages } from './guard.ts';

/**
 * Registers `/healthz` (200 while the process answers) and `/readyz` (200, or 503 before the sessions are restored and
 * while the gateway ends). They need no token, reveal nothing else, and are not for pages of other origins.
 */
export function healthRoutes(app: FastifyInstance, policy: OriginPolicy, isReady: () => boolean): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('Cache-Control', 'no-store');
  });
  refuseForeignPages(app, policy);
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', (_request, reply) =>
    isReady() ? { status: 'ok' } : sendError(reply, 503, 'El servidor no está listo.'),
  );
}

/** Registers the metrics, as Prometheus reads them, at the root of `app`. */
export function metricsRoutes(app: FastifyInstance, registry: Registry): void {
  app.get('/', { config: { right: 'see', ofAll: true } }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}
