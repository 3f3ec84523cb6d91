import { createServer, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { refuseForeignPages } from '../src/http/guard.ts';
import { staticFiles } from '../src/http/pages.ts';
import { securityHeaders } from '../src/http/server.ts';
import type { Cluster, View } from './cluster.ts';
import { StickyProxy } from './proxy.ts';

const HOST = '127.0.0.1';
const PAGE = fileURLToPath(new URL('./page', import.meta.url));
/** What the panel asks of a gateway. */
const OF_GATEWAYS = /^\/(?:api|socket\.io|simulator)\//;

const ServerParams = Type.Object({ name: Type.String() });
const NumeroParams = Type.Object({ numero: Type.String() });

/**
 * Creates the server of the page: its files, what it asks of this program, and the proxy to the gateways.
 */
export function createSite(cluster: Cluster): FastifyInstance {
  const streams = new Set<() => void>();
  const proxy = new StickyProxy(
    () => cluster.servers,
    () => {
      for (const push of streams) push();
    },
  );
  const app = fastify({
    forceCloseConnections: true,
    serverFactory: (handler) => {
      const server = createServer((incoming, answer) => {
        if (OF_GATEWAYS.test(incoming.url ?? '')) proxy.forward(incoming, answer);
        else handler(incoming, answer);
      });
      server.on('upgrade', (incoming, socket, head) => proxy.upgrade(incoming, socket, head));
      return server;
    },
  });
  securityHeaders(app.server);
  app.addHook('onRequest', async ({ raw }, reply) => {
    proxy.welcome(raw, reply.raw);
  });
  staticFiles(app, [], PAGE);

  app.register(
    async (calls) => {
      refuseForeignPages(calls, { allowOrigins: [], host: HOST });
      const typed = calls.withTypeProvider<TypeBoxTypeProvider>();

      typed.get('/events', (request, reply) => {
        reply.hijack();
        const client = proxy.welcome(request.raw, reply.raw);
        const push = () => send(reply.raw, { ...cluster.view, here: proxy.placeOf(client)?.name ?? null });
        reply.raw.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
        push();
        const unwatch = cluster.watch(push);
        streams.add(push);
        request.raw.once('close', () => {
          unwatch();
          streams.delete(push);
        });
      });

      typed.post('/servers', (_request, reply) => {
        const server = cluster.add();
        if (!server) return refuse(reply, 409, 'Ya hay suficientes servidores para una demostración');
        void server.start();
        return reply.code(202).send();
      });

      for (const action of ['kill', 'stop', 'start', 'drain'] as const) {
        typed.post(
          `/servers/:name/${action}`,
          { schema: { params: ServerParams } },
          async (request, reply) => {
            const server = cluster.find(request.params.name);
            if (!server) return refuse(reply, 404, `No hay ningún servidor '${request.params.name}'`);
            if (action === 'drain') cluster.drain(server);
            else void server[action]();
            return reply.code(202).send();
          },
        );
      }

      typed.post('/phones/:numero/scan', { schema: { params: NumeroParams } }, async (request, reply) => {
        const { numero } = request.params;
        const shown = cluster.codeOf(numero);
        if (!shown) return refuse(reply, 409, `El ${numero} no muestra ningún código`);
        const answer = await fetch(`${shown.url}/simulator/phones/${encodeURIComponent(numero)}/scan`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ code: shown.code }),
        }).catch(() => undefined);
        if (!answer) return refuse(reply, 503, 'El servidor de este número no responde');
        return reply
          .code(answer.status)
          .type('application/json')
          .send(answer.status === 204 ? undefined : await answer.text());
      });
    },
    { prefix: '/demo' },
  );
  return app;
}

/** Sends a view as a server-sent event. */
function send(stream: ServerResponse, view: View & { readonly here: string | null }): void {
  stream.write(`data: ${JSON.stringify(view)}\n\n`);
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send({ message });
}
