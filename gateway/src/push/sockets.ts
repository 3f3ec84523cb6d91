import type { Server as HttpServer } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { Logger } from 'pino';
import { Server, type Socket } from 'socket.io';
import { type ServerOptions, WebSocketServer } from 'ws';
import {
  EXTENSIONS,
  PERMISSIONS,
  SERVER_EXTENSIONS,
  SERVER_PERMISSIONS,
  type WireExtensions,
  type WirePermissions,
} from '../../../src/wire.ts';
import type { Audit } from '../audit.ts';
import { type EngineExtension, isEngineExtension } from '../engines/extensions.ts';
import { clientAddress } from '../security/addresses.ts';
import type { Admission } from '../security/admission.ts';
import type { OriginPolicy } from '../security/origins.ts';
import { isUnlimited } from '../security/users.ts';
import { closeSlowConsumers } from './backlog.ts';
import { batchWrites } from './batched-writes.ts';
import { admitSockets, userOf } from './socket-admission.ts';
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
  admission: Admission,
  trustProxy: readonly string[],
  log: Logger,
  audit?: Audit,
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
  admitSockets(io, admission, addressOf, log, audit);
  return { io, written, backlog, addressOf };
}

/**
 * Announces to each panel, before anything else, what its user may do, if that is not everything, and the gateway's
 * extensions.
 *
 * @param ofEngine returns the extensions that the engine supports now
 * @param notifies by what people are told who do not look at a panel
 */
export function announce(
  io: Server,
  ofEngine: () => readonly EngineExtension[],
  notifies: string | undefined,
): void {
  io.on('connection', (socket) => {
    const user = userOf(socket);
    if (!isUnlimited(user)) {
      const { name, rights } = user;
      const actions = PERMISSIONS.filter((permission) => rights.has(permission));
      const permissions: WirePermissions = { actions, ...(name !== undefined && { name }) };
      socket.emit(SERVER_PERMISSIONS, permissions);
    }
    const able = ofEngine();
    const extensions = EXTENSIONS.filter(
      (extension) => !isEngineExtension(extension) || able.includes(extension),
    );
    const announced: WireExtensions = { extensions, ...(notifies !== undefined && { notifies }) };
    socket.emit(SERVER_EXTENSIONS, announced);
  });
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
