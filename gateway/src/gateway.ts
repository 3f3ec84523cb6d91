import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import type { Server } from 'socket.io';
import { Audit } from './audit.ts';
import { ClockWatch } from './clock.ts';
import { PostgresCluster } from './cluster/cluster.ts';
import { CLUSTER_PATH } from './cluster/sealed.ts';
import { DRAIN_LIMIT, settles } from './drain.ts';
import {
  type EngineProvider,
  remoteProvider,
  simulatedProvider,
  whatsappProvider,
} from './engines/provider.ts';
import { realClock } from './engines/simulated/clock.ts';
import { SimulatedPhones } from './engines/simulated/phones.ts';
import { createSeeds } from './engines/simulated/seeds.ts';
import { WhatsappEngine } from './engines/whatsapp/engine.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { answerCalls, SLACK } from './http/answerer.ts';
import { authorize } from './http/authorize.ts';
import { forwardCalls, forwarding } from './http/forward.ts';
import { guard } from './http/guard.ts';
import { limitLoad } from './http/limits.ts';
import { linkCalls, linkPage } from './http/link-page.ts';
import { healthRoutes, metricsRoutes } from './http/monitoring.ts';
import { staticFiles } from './http/pages.ts';
import { extensionRoutes, sessionRoutes } from './http/routes.ts';
import { createApp, endUnread, pendingAnswers, REQUEST_ID, securityHeaders } from './http/server.ts';
import { simulatorFeed, simulatorRoutes } from './http/simulator-routes.ts';
import type { DiskObserver } from './ledger/operations.ts';
import type { SharedSessions } from './ledger/seed.ts';
import { Metrics } from './metrics.ts';
import { channelsOf, Notifier } from './notify/notifier.ts';
import { Audience } from './push/audience.ts';
import { linkSockets } from './push/link-sockets.ts';
import { userOf } from './push/socket-admission.ts';
import { announce, createSockets } from './push/sockets.ts';
import { Access } from './security/access.ts';
import { inUrl, isEverywhere, LOOPBACK } from './security/addresses.ts';
import { ClientWarnings } from './security/client-warnings.ts';
import { LinkDoor } from './security/link-door.ts';
import { ClusterOfOne } from './sessions/cluster-of-one.ts';
import type { EngineObserver } from './sessions/engine-news.ts';
import { Registry } from './sessions/registry.ts';
import type { Session } from './sessions/session.ts';
import { engineLog, stateLog } from './sessions/session-log.ts';
import type { Push } from './sessions/transitions.ts';

/** How long a session may be silent before it is probed, in milliseconds. */
const PROBE = 5 * 60_000;

/** The part of a drain's time for closing connections and sockets, and the most for notifications, in milliseconds. */
const CLOSING_TIME = 2_000;

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
  /**
   * Ends without losing anything: refuses new starts and messages with 503, waits for those under way and for
   * deletions, and closes the connections to WhatsApp; then continues like `close`.
   *
   * @param limit longest total time, in milliseconds; then the rest is aborted. Default 20,000
   */
  drain(limit?: number): Promise<void>;
  /** Reads the files of `access` and `jwtKey` again. */
  reload(): void;
  /** Ends sockets, open requests and timers, and frees the port. Clients see a lost connection, and retry. */
  close(): Promise<void>;
}

/** Creates a gateway with simulated or real phones; its sessions are listed once it listens. */
export function createGateway(options: GatewayOptions = {}): Gateway {
  const { port = 8080, allowOrigins = [] } = options;
  const { name = hostname(), probe = PROBE } = options;
  const { token, host = LOOPBACK, trustProxy = [], publicUrl, logger = pino({ enabled: false }) } = options;
  if ([token, options.access, options.jwtKey].every((one) => one === undefined) && host !== LOOPBACK)
    throw new Error('Without a token the gateway listens on loopback only');

  const warnings = new ClientWarnings(logger);
  const app = createApp(trustProxy, logger, warnings);
  const answered = pendingAnswers(app);

  // Relative to the call for a link: behind a proxy, only the caller knows the URL.
  const linkUrl = publicUrl === undefined ? '../../../l/' : new URL('l/', withSlash(publicUrl)).href;

  // The page behind a link is served from there.
  const linkOrigins = publicUrl === undefined ? [] : [new URL(publicUrl).origin];
  const policy = { allowOrigins: [...allowOrigins, ...linkOrigins], host };
  const access = new Access(options, logger);
  const { admission } = access;
  const audit = options.audit === undefined ? undefined : new Audit(options.audit, name, logger);
  const { io, written, backlog, addressOf } = createSockets(
    app.server,
    policy,
    admission,
    trustProxy,
    logger,
    audit,
  );
  // After Socket.IO, which takes the requests before everything registered earlier.
  securityHeaders(app.server);
  endUnread(app.server);
  const metrics = options.metrics ? new Metrics() : undefined;
  const logEngine = engineLog(logger);
  const observeEngine: EngineObserver = (numero, news) => {
    logEngine(numero, news);
    metrics?.observe(numero, news);
  };
  const logState = stateLog(logger);
  const observe = (session: Session, push: Push) => {
    logState(session);
    metrics?.pushed(push);
  };
  const listed = (numero: string) => sessions.get(numero);
  const protect = async (routes: FastifyInstance) => {
    await guard(routes, policy, admission, audit);
    authorize(routes, listed);
  };
  const audience = new Audience(io, listed);
  io.on('connection', (socket) => audience.join(socket, userOf(socket)));
  const emit = (push: Push) => {
    audience.emit(push);
    door.heard(push.numero);
  };

  const provider = providerOf(options, logger, metrics?.stored);
  announce(io, () => provider.extensions, options.notify && channelsOf(options.notify));
  const own = () => sessions;
  const cluster =
    options.cluster &&
    new PostgresCluster(
      options.cluster,
      { shared: sharedOf(provider), emit, onStoreTask: metrics?.stored, registry: own },
      logger.child({ part: 'cluster' }),
    );
  let ledger = cluster?.ledger;
  const engine = provider.createEngine(async () => {
    ledger ??= await provider.openLedger();
    return ledger;
  });
  const openedLedger = () => {
    if (!ledger) throw new Error('The sessions were not restored');
    return ledger;
  };
  const phones = engine instanceof SimulatedPhones ? engine : undefined;
  const sessions: Registry = new Registry({
    engine,
    ledger: openedLedger,
    cluster: cluster ?? new ClusterOfOne(emit, own),
    name,
    probe,
    observe,
    observeEngine,
  });
  const door = new LinkDoor(sessions);
  linkSockets(io, door, addressOf, logger, warnings);
  const notifier =
    options.notify &&
    new Notifier(options.notify, {
      sessions,
      ledger: openedLedger,
      observe: (channel, outcome) => metrics?.notified(channel, outcome),
      log: logger.child({ part: 'notify' }),
    });
  const clock = new ClockWatch((by) => {
    logger.warn({ by }, 'The clock of this machine was set: panels connect anew.');
    // They take the difference to their own clocks from the list, which they read when they connect.
    for (const { conn } of io.sockets.sockets.values()) conn.close();
  });
  metrics?.read({
    // Other gateways count theirs in their own metrics.
    sessions: { list: () => sessions.own, isReady: () => sessions.isReady },
    backlog,
    sockets: () => io.engine.clientsCount,
    client: engine instanceof WhatsappEngine ? () => engine.version : undefined,
    cluster: cluster && (() => cluster.figures),
  });
  app.addHook('onReady', async () => {
    await sessions.restore();
    audience.know(sessions.list());
    notifier?.start();
  });

  app.register(async (health) => healthRoutes(health, policy, () => sessions.isReady));
  app.register(
    async (api) => {
      limitLoad(api);
      await protect(api);
      if (cluster) forwardCalls(api, cluster);
      sessionRoutes(api, sessions, written, provider.deletion);
      extensionRoutes(api, sessions, linkUrl);
    },
    { prefix: '/api' },
  );
  if (cluster) {
    // Listens on no port: only sealed calls of other gateways reach it.
    const inner = createApp([], logger, warnings, SLACK, REQUEST_ID);
    inner.register(
      async (api) => {
        sessionRoutes(api, sessions, written);
        extensionRoutes(api, sessions, linkUrl);
      },
      { prefix: '/api' },
    );
    if (phones) {
      inner.register(async (simulator) => simulatorRoutes(simulator, phones), { prefix: '/simulator' });
    }
    app.addHook('onClose', () => cluster.caller.close());
    app.register(async (calls) => answerCalls(calls, inner, cluster.member, warnings), {
      prefix: CLUSTER_PATH,
    });
  }
  if (phones) {
    app.register(
      async (simulator) => {
        await protect(simulator);
        if (cluster) forwardCalls(simulator, cluster);
        simulatorRoutes(simulator, phones);
      },
      { prefix: '/simulator' },
    );
    simulatorFeed(io, phones);
  }
  if (metrics) {
    app.register(
      async (guarded) => {
        await protect(guarded);
        metricsRoutes(guarded, metrics.registry);
      },
      { prefix: '/metrics' },
    );
  }
  app.register((calls) => linkCalls(calls, policy, door, audit, cluster && forwarding(cluster)), {
    prefix: '/l/api',
  });
  linkPage(app);
  staticFiles(app);

  let draining: Promise<void> | undefined;
  function drain(limit = DRAIN_LIMIT): Promise<void> {
    draining ??= finish(limit);
    return draining;
  }
  async function finish(limit: number): Promise<void> {
    const begun = performance.now();
    const left = () => limit - (performance.now() - begun);
    logger.info('Ending: no new starts or messages; those under way finish.');
    notifier?.stop();
    const isDone = await settles(sessions.drain(), left() - CLOSING_TIME);
    if (!isDone) logger.warn('Ending although not everything under way has finished.');
    // It keeps what it has told with the sessions.
    if (notifier) await settles(notifier.close(), left() / 2);
    // Messages that are still being sent now fail, and their answers say so.
    await settles(sessions.close(), left() / 2);
    await settles(answered(), left() / 2);
    await settles(close(), left());
    logger.info({ ms: Math.round(performance.now() - begun) }, 'Ended.');
  }

  let listening: Promise<void> | undefined;
  async function bind(): Promise<void> {
    const listenTextResolver = (address: string) => `Listening at ${address}`;
    await app.listen({ host, port, listenTextResolver });
    await cluster?.join(urlOf(app, host));
  }

  let closing: Promise<void> | undefined;
  function close(): Promise<void> {
    clock.close();
    closing ??= end();
    return closing;
  }
  async function end(): Promise<void> {
    // A server that is about to listen would still do so after `close`.
    await listening?.catch(() => {});
    const closed = io.close();
    app.server.closeAllConnections();
    await closed;
    await app.close();
    // A message that WhatsApp does not confirm would be waited for.
    if (notifier) await settles(notifier.close(), CLOSING_TIME);
    await sessions.close();
    access.close();
    // Its device may hang.
    if (audit) await settles(audit.close(), CLOSING_TIME);
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
      listening = bind();
      try {
        await listening;
      } catch (error) {
        await close();
        throw error;
      }
      return urlOf(app, host);
    },
    drain,
    reload: () => access.reload(),
    close,
  };
}

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}

function providerOf(options: GatewayOptions, logger: Logger, onStoreTask?: DiskObserver): EngineProvider {
  const { remote, whatsapp, cluster, sessions = 6, speed = 1, clock = realClock(speed) } = options;
  if (remote) return remoteProvider(remote, logger.child({ engine: remote.name }), onStoreTask);
  if (whatsapp) return whatsappProvider(whatsapp, logger.child({ engine: 'whatsapp' }), onStoreTask);
  const seeds = typeof sessions === 'number' ? createSeeds(sessions) : sessions;
  return simulatedProvider(clock, seeds, cluster !== undefined);
}

function sharedOf({ name, shared }: EngineProvider): SharedSessions {
  if (!shared) throw new Error(`Gateways cannot share the sessions of ${name}`);
  return shared;
}

function urlOf(app: FastifyInstance, host: string): string {
  const address: string | AddressInfo | null = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('The gateway is not listening yet');
  return `http://${isEverywhere(host) ? LOOPBACK : inUrl(host)}:${address.port}`;
}
