import type { Logger } from 'pino';
import type { Server, Socket } from 'socket.io';
import {
  LINK_NAMESPACE,
  LINK_OVER,
  LINK_SESSION,
  type WireLinkOver,
  type WireLinkRefusal,
} from '../../link-page/wire.ts';
import { reasonOf } from '../ledger/operations.ts';
import type { ClientWarnings } from '../security/client-warnings.ts';
import type { LinkDoor } from '../security/link-door.ts';

/**
 * Most open pages of one link. The newest have precedence: a phone that changes networks leaves connections that look
 * open for most of a minute, which must not lock it out.
 */
const MOST_PAGES = 5;

/** Milliseconds in which a page has to close its connection after its link has ended. */
const FAREWELL = 5_000;

const UNCERTAIN = 'El servidor no puede comprobar el enlace en este momento.';

/**
 * Serves the pages behind links, in a namespace that only a link's token opens. Each socket receives only the session
 * of its link; what it emits is ignored.
 *
 * @param addressOf returns the address to which wrong tokens are counted
 */
export function linkSockets(
  io: Server,
  door: LinkDoor,
  addressOf: (socket: Socket) => string,
  log: Logger,
  warnings: ClientWarnings,
): void {
  const namespace = io.of(LINK_NAMESPACE);
  /** The open pages, by the numero of their session. */
  const pages = new Map<string, Set<Socket>>();

  async function admit(socket: Socket): Promise<Error | undefined> {
    const address = addressOf(socket);
    const { token }: { token?: unknown } = socket.handshake.auth;
    const entered = await door.enter(token, address);
    if (typeof entered !== 'string') {
      log.debug({ namespace: LINK_NAMESPACE, address, status: entered.status }, 'Socket refused');
      const over = 'over' in entered ? { over: entered.over } : {};
      return refusal(entered.message, { ...over, passing: false });
    }
    // A closed connection would never be removed.
    if (socket.conn.readyState !== 'open') return undefined;
    const open = pages.get(entered) ?? new Set();
    // From here on, the page learns of the link's end.
    pages.set(entered, open.add(socket));
    const leave = () => {
      open.delete(socket);
      if (open.size === 0 && pages.get(entered) === open) pages.delete(entered);
    };
    socket.once('disconnect', leave);
    socket.conn.once('close', leave);
    socket.data.numero = entered;
    log.debug({ namespace: LINK_NAMESPACE, address, numero: entered }, 'Socket joined');
    return undefined;
  }

  namespace.use((socket, next) => {
    admit(socket).then(next, (error: unknown) => {
      const fields = { address: addressOf(socket), reason: reasonOf(error) };
      warnings.warn(log, 'The token of a link could not be checked.', fields);
      next(refusal(UNCERTAIN, { passing: true }));
    });
  });

  namespace.on('connection', (socket) => {
    const { numero }: { numero?: string } = socket.data;
    if (numero === undefined || !door.view(numero)) {
      // Its link ended while it was admitted.
      end(socket, { reason: 'expired' });
      return;
    }
    show(numero, [socket]);
    makeRoom(numero);
    door.sessions.linkOpened(numero).catch((error: unknown) => {
      log.warn({ numero, reason: reasonOf(error) }, 'The opening of a link could not be recorded.');
    });
  });

  function show(numero: string, sockets: Iterable<Socket>): void {
    const view = door.view(numero);
    if (!view) return;
    for (const socket of sockets) socket.emit(LINK_SESSION, view);
  }

  function makeRoom(numero: string): void {
    const open = [...(pages.get(numero) ?? [])];
    // A socket that is not connected yet cannot be notified; it makes room itself once it is.
    const surplus = open.slice(0, -MOST_PAGES).filter(({ connected }) => connected);
    for (const socket of surplus) end(socket, { reason: 'displaced' });
  }

  /** The numeros with a pending update of their pages: one change often causes several pushes. */
  const changed = new Set<string>();
  function showChanges(): void {
    for (const numero of changed) show(numero, pages.get(numero) ?? []);
    changed.clear();
  }

  door.on('changed', (numero) => {
    if (!pages.has(numero)) return;
    if (changed.size === 0) setImmediate(showChanges);
    changed.add(numero);
  });
  door.on('ended', (numero, reason) => {
    const open = pages.get(numero);
    pages.delete(numero);
    for (const socket of open ?? []) end(socket, { reason });
  });
}

function end(socket: Socket, over: WireLinkOver): void {
  socket.emit(LINK_OVER, over);
  socket.disconnect();
  // A page closes the connection itself; Engine.IO would wait half a minute for one that polls.
  setTimeout(() => socket.conn.close(true), FAREWELL).unref();
}

function refusal(message: string, data: WireLinkRefusal): Error {
  return Object.assign(new Error(message), { data });
}
