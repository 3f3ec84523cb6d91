import { EventEmitter, once } from 'node:events';
import { type Server as HttpServer, type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
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
import { bareReply, errorAnswer } from '../http/errors.ts';
import { clientAddress } from '../security/addresses.ts';
import type { Admission } from '../security/admission.ts';
import { type OriginPolicy, refusalOf } from '../security/origins.ts';
import { isUnlimited } from '../security/users.ts';
import { admitSockets, userOf } from './socket-admission.ts';

/**
 * Attaches Socket.IO to the HTTP server, on its default path, behind the guard. `addressOf` returns the address to which
 * the limits count a socket.
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
) {
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

/** Refuses every request of foreign pages to Socket.IO, whose option `allowRequest` checks only the first. */
function guardSockets(io: Server, server: HttpServer, policy: OriginPolicy): void {
  io.engine.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const refusal = refusalOf(request.headers, policy);
    if (refusal !== undefined) return refuse(request, response, 403, refusal);
    // Engine.IO always supports JSONP, whose answers any page can run as a script, and so read.
    if (new URL(request.url ?? '', 'http://localhost').searchParams.has('j')) {
      return refuse(request, response, 403, 'No se atienden solicitudes de JSONP.');
    }
    // Engine.IO answers other methods with an empty 500.
    if (request.method === 'GET' || request.method === 'POST') return next();
    response.setHeader('Allow', 'GET, POST');
    refuse(request, response, 405, 'Socket.IO solo usa GET y POST.');
  });

  // Node passes on every upgrade request, on whatever path.
  server.on('upgrade', ({ url = '' }, connection) => {
    if (!url.startsWith(`${io.path()}/`))
      bareReply(connection, 400, 'Aquí no se habla ningún otro protocolo.');
  });
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, message: string): void {
  // For a WebSocket, Engine.IO passes a stand-in that cannot answer.
  if (!(response instanceof ServerResponse)) {
    bareReply(request.socket, status, message);
    return;
  }
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(errorAnswer(status, message)));
}

/** Milliseconds between two writes to a WebSocket; a push waits for two of them at most. */
const WRITE_INTERVAL = 10;

/**
 * Writes to each WebSocket of the server at most once per {@link WRITE_INTERVAL}. With many panels and many pushes,
 * a write for each push would be most of the gateway's work.
 *
 * @returns a function that resolves once everything pushed before has been written
 */
function batchWrites(server: HttpServer): () => Promise<void> {
  const sockets = new Set<Duplex>();
  const batches = new EventEmitter().setMaxListeners(0);
  let timer: NodeJS.Timeout | undefined;
  const writeAll = () => {
    for (const socket of sockets) {
      if (socket.writableLength === 0) continue;
      socket.uncork();
      socket.cork();
    }
    batches.emit('written');
  };
  server.on('upgrade', (_request, socket) => {
    socket.cork();
    sockets.add(socket);
    timer ??= setInterval(writeAll, WRITE_INTERVAL);
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size > 0) return;
      clearInterval(timer);
      timer = undefined;
      batches.emit('written');
    });
  });
  return async () => {
    // Engine.IO hands over a second packet only when the first has been written.
    for (let batch = 0; batch < 2; batch += 1) if (sockets.size > 0) await once(batches, 'written');
  };
}

type EngineConnection = Socket['conn'];

/** Most data that may wait for a client to read it, in characters. */
const LIMIT = 1_000_000;
/** How often each connection is checked, in milliseconds; a client has at least that long to catch up. */
const LOOK_EVERY = 2_500;

/**
 * Closes the connection of each slow consumer, a client that does not read its data fast enough: Engine.IO queues
 * everything for as long as the client answers its pings. A panel reconnects by itself and fetches the list.
 *
 * A burst is no reason to close: the codes of 5,000 sessions are 1.5 MB, which a line of 5 Mbit/s transfers between two
 * checks. A transfer longer than Engine.IO's ping timeout (20 s) would end the connection anyway, since the ping is
 * queued behind it.
 *
 * @returns a function that returns how many characters wait in all
 */
function closeSlowConsumers({ engine }: Server): () => number {
  const backlogs = new Set<() => number>();
  engine.on('connection', (connection: EngineConnection) => {
    /** The data that Engine.IO queues, and the data that the transport has not written yet. */
    let held = 0;
    let handed = 0;
    let wasBehind = false;
    const backlog = () => held + handed;
    backlogs.add(backlog);
    const looks = setInterval(() => {
      const isBehind = backlog() > LIMIT;
      if (isBehind && wasBehind) connection.close(true);
      wasBehind = isBehind;
    }, LOOK_EVERY);

    connection.on('packetCreate', ({ data }: { data?: string }) => {
      held += data?.length ?? 0;
    });
    connection.on('flush', () => {
      handed = held;
      held = 0;
    });
    const watch = (transport: EngineConnection['transport']) => {
      transport.on('drain', () => {
        handed = 0;
      });
    };
    watch(connection.transport);
    connection.on('upgrade', watch);
    connection.once('close', () => {
      clearInterval(looks);
      backlogs.delete(backlog);
    });
  });
  return () => [...backlogs].reduce((sum, backlog) => sum + backlog(), 0);
}
