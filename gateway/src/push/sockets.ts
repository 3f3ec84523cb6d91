import type { Server as HttpServer } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { Logger } from 'pino';
import { type Namespace, Server, type Socket } from 'socket.io';
import { type ServerOptions, WebSocketServer } from 'ws';
import {
  CHANGE_STATE,
  EXTENSIONS,
  eventName,
  MESSAGE_ACK,
  SERVER_EXTENSIONS,
  SESSION_CREATED,
  SESSION_DELETED,
  type WireExtensions,
} from '../../../src/wire.ts';
import { LINK_NAMESPACE } from '../../link-page/wire.ts';
import { type EngineExtension, isEngineExtension } from '../engines/extensions.ts';
import { clientAddress } from '../security/addresses.ts';
import type { OriginPolicy } from '../security/origins.ts';
import type { TokenCheck } from '../security/tokens.ts';
import type { Push } from '../sessions/transitions.ts';
import { closeSlowConsumers } from './backlog.ts';
import { batchWrites } from './batched-writes.ts';
import { guardSockets } from './socket-guard.ts';

export interface Sockets {
  readonly io: Server;
  /** Resolves once everything pushed before has been written. */
  readonly written: () => Promise<void>;
  /** Returns how many characters wait for clients to read them. */
  readonly backlog: () => number;
  /** Returns the address to which the limits count a socket. */
  readonly addressOf: (socket: Socket) => string;
}

/**
 * Attaches Socket.IO to the HTTP server, on its default path, behind the guard.
 *
 * @param trustProxy as fastify's option of that name
 */
export function createSockets(
  server: HttpServer,
  policy: OriginPolicy,
  tokens: TokenCheck,
  trustProxy: readonly string[],
  log: Logger,
): Sockets {
  const io = new Server(server, {
    // Panels only listen: they send nothing large.
    maxHttpBufferSize: 10_000,
    // As long as a panel waits for its connection; a client that sends no token stays connected no longer.
    connectTimeout: 20_000,
    wsEngine: PromptWebSocketServer,
    cors: { origin: [...policy.allowOrigins], credentials: true },
    // The guard answers upgrade requests on other paths.
    destroyUpgrade: false,
  });
  guardSockets(io, server, policy);
  const backlog = closeSlowConsumers(io);
  const written = batchWrites(server);
  const trust = proxyAddr.compile([...trustProxy]);
  const addressOf = ({ request }: Socket) => clientAddress(proxyAddr(request, trust));
  const wantToken = (namespace: Namespace) => {
    namespace.use((socket, next) => {
      const token: unknown = socket.handshake.auth.token;
      const address = addressOf(socket);
      const denial = tokens(token, address);
      const { name } = namespace;
      if (denial) log.debug({ namespace: name, address, status: denial.status }, 'Socket refused');
      else log.debug({ namespace: name, address }, 'Socket joined');
      next(denial && new Error(denial.message));
    });
  };
  // For every namespace, including later ones: all require the token, except the one with its own tokens.
  io.on('new_namespace', (namespace) => {
    if (namespace.name !== LINK_NAMESPACE) wantToken(namespace);
  });
  wantToken(io.of('/'));
  return { io, written, backlog, addressOf };
}

/**
 * Announces the gateway's extensions to each panel, before anything else.
 *
 * @param ofEngine returns the extensions that the engine supports now
 */
export function announceExtensions(io: Server, ofEngine: () => readonly EngineExtension[]): void {
  io.on('connection', (socket) => {
    const able = ofEngine();
    const extensions = EXTENSIONS.filter(
      (extension) => !isEngineExtension(extension) || able.includes(extension),
    );
    socket.emit(SERVER_EXTENSIONS, { extensions } satisfies WireExtensions);
  });
}

/** Emits a push to every panel. */
export function emitPush(io: Server, push: Push): void {
  io.emit(...eventOf(push));
}

/** Returns the event name of the contract or its extensions, and the payload. */
function eventOf(push: Push): [name: string, payload?: unknown] {
  const { event, numero } = push;
  switch (event) {
    case 'created':
      return [SESSION_CREATED, push.session];
    case 'deleted':
      return [SESSION_DELETED, { numero }];
    case 'details':
      return [eventName(event, numero), push.change];
    case 'code':
      return [eventName(event, numero), push.pairing];
    case 'ack':
      return [MESSAGE_ACK, push.ack];
    case 'qr':
      return [eventName(event, numero), push.code];
    case 'change_state':
      return [CHANGE_STATE, { numero, state: push.state }];
    default:
      return [eventName(event, numero)];
  }
}

/** How long a client may take for the closing handshake, in milliseconds. */
const CLOSE_TIMEOUT = 1_000;

/**
 * ws's own server, except that it waits one second instead of thirty for the closing handshake: until then it keeps all
 * unread data.
 */
class PromptWebSocketServer extends WebSocketServer {
  constructor(options: ServerOptions) {
    // @types/ws 8.18 lacks this option; a literal with it would not compile.
    const prompt = { ...options, closeTimeout: CLOSE_TIMEOUT };
    super(prompt);
  }
}
