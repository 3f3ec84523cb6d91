import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import type { Server } from 'socket.io';
import { type Clock, realClock } from './engines/simulated/clock.ts';
import { SimulatedPhones } from './engines/simulated/phones.ts';
import { simulatorFeed, simulatorRoutes } from './engines/simulated/routes.ts';
import { createSeeds, type Seed } from './engines/simulated/seeds.ts';
import { WhatsappEngine, type WhatsappOptions } from './engines/whatsapp/engine.ts';
import { answerClientError, answerError, answerNotFound } from './http/errors.ts';
import { limitLoad } from './http/limits.ts';
import { staticFiles } from './http/pages.ts';
import { sessionRoutes } from './http/routes.ts';
import { endUnread, securityHeaders } from './http/server.ts';
import { createSockets, emitPush } from './push/sockets.ts';
import { inUrl, isEverywhere, LOOPBACK } from './security/addresses.ts';
import { guard } from './security/guard.ts';
import { tokenCheck } from './security/tokens.ts';
import { SessionManager } from './sessions/session-manager.ts';

/** Largest body of a request, in bytes: a message of the longest text in the longest encoding. */
const BODY_LIMIT = 512 * 1024;
/** How long a request may take to arrive, headers and body, in milliseconds; its answer may take longer. */
const REQUEST_TIMEOUT = 30_000;
/** How often Node checks for requests that exceed this, in milliseconds. */
const TIMEOUT_CHECKS = 1_000;
/** How long a client may read nothing of its answer, in milliseconds: longer than most connections stall. */
const UNREAD_TIMEOUT = 30_000;

export interface GatewayOptions {
  /** TCP port; 0 takes a free one. Default 8080. */
  port?: number;
  /** Without a token, everybody who can connect may use the gateway. Sent as it is in a header. */
  token?: string;
  /** The address or name to listen on. Default 127.0.0.1; anything else requires a token. */
  host?: string;
  /** Proxies whose `X-Forwarded-For` is trusted, as in fastify's option of the same name. Default none. */
  trustProxy?: readonly string[];
  /** The initial sessions: a number of generated ones, or a list. Default 6. */
  sessions?: number | readonly Seed[];
  /** How many times faster the simulated phones live. Default 1. */
  speed?: number;
  /** Origins, besides its own, whose pages may use the gateway, such as `https://portal.example`. Default none. */
  allowOrigins?: readonly string[];
  /** Origins of other gateways that the demo pages may use. Default none. */
  otherServers?: readonly string[];
  /** A clock for the simulated phones; `speed` is then ignored. Default the machine's. */
  clock?: Clock;
  /** Serves metrics to clients with the token or, with `port`, on that port of 127.0.0.1. Default off. */
  metrics?: { port?: number };
  /** Links real phones instead of simulated ones; `sessions`, `speed` and `clock` are then ignored. */
  whatsapp?: WhatsappOptions;
}

export interface Gateway {
  /** The HTTP server; before `listen`, hooks and routes can be added. */
  readonly app: FastifyInstance;
  readonly io: Server;
  /** The simulated phones, to act as their owners. Throws if the phones are real. */
  readonly phones: SimulatedPhones;
  /** The URL it listens on, without a trailing slash. Throws before `listen` has resolved. */
  readonly url: string;
  /** Starts to listen and returns the URL. Rejects with Node's error if the port is not available. */
  listen(): Promise<string>;
  /** Ends sockets, open requests and timers, and frees the port. Clients see a lost connection, and retry. */
  close(): Promise<void>;
}

/** Creates a gateway with simulated or real phones; its sessions are listed once it listens. */
export function createGateway(options: GatewayOptions = {}): Gateway {
  const { port = 8080, sessions: seeds = 6, speed = 1, allowOrigins = [], otherServers = [] } = options;
  const { token, host = LOOPBACK, trustProxy = [] } = options;
  if (token === undefined && host !== LOOPBACK)
    throw new Error('Without a token the gateway listens on loopback only');

  const app = fastify({
    bodyLimit: BODY_LIMIT,
    // The default is ten seconds, in which a busy machine may not even have loaded the client library.
    pluginTimeout: 0,
    // Payloads must match the contract exactly: no coercion, no silently dropped fields.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
    clientErrorHandler: answerClientError,
    requestTimeout: REQUEST_TIMEOUT,
    // Node applies the longer of the two timeouts to the body, and a minute to the headers by default.
    http: { headersTimeout: REQUEST_TIMEOUT, connectionsCheckingInterval: TIMEOUT_CHECKS },
    // `GET levanta` changes state, and so would its HEAD.
    exposeHeadRoutes: false,
    trustProxy: [...trustProxy],
  });
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler<Error>(answerError);
  app.setNotFoundHandler(answerNotFound);

  const policy = { allowOrigins, host };
  const tokens = tokenCheck(token);
  const { io, written } = createSockets(app.server, policy, tokens, trustProxy);
  securityHeaders(app.server);
  endUnread(app.server, UNREAD_TIMEOUT);
  const engine = options.whatsapp
    ? new WhatsappEngine(options.whatsapp)
    : new SimulatedPhones(
        options.clock ?? realClock(speed),
        typeof seeds === 'number' ? createSeeds(seeds) : seeds,
      );
  const phones = engine instanceof SimulatedPhones ? engine : undefined;
  const sessions = new SessionManager(engine, (push) => emitPush(io, push));
  app.addHook('onReady', () => sessions.restore());

  app.register(
    async (api) => {
      await limitLoad(api);
      await guard(api, policy, tokens);
      sessionRoutes(api, sessions, written);
    },
    { prefix: '/api' },
  );
  if (phones) {
    app.register(
      async (simulator) => {
        await guard(simulator, policy, tokens);
        simulatorRoutes(simulator, phones);
      },
      { prefix: '/simulator' },
    );
    simulatorFeed(io, phones);
  }
  staticFiles(app, otherServers);

  let closing: Promise<void> | undefined;
  function close(): Promise<void> {
    closing ??= end();
    return closing;
  }
  async function end(): Promise<void> {
    const closed = io.close();
    app.server.closeAllConnections();
    await closed;
    await app.close();
    await sessions.close();
  }

  return {
    app,
    io,
    get phones() {
      if (!phones) throw new Error('The phones of this gateway are real');
      return phones;
    },
    get url() {
      return urlOf(app, host);
    },
    async listen() {
      try {
        await app.listen({ host, port });
      } catch (error) {
        await close();
        throw error;
      }
      return urlOf(app, host);
    },
    close,
  };
}

function urlOf(app: FastifyInstance, host: string): string {
  const address: string | AddressInfo | null = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('The gateway is not listening yet');
  return `http://${isEverywhere(host) ? LOOPBACK : inUrl(host)}:${address.port}`;
}
