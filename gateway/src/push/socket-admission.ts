import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { Namespace, Server, Socket } from 'socket.io';
import { LINK_NAMESPACE } from '../../link-page/wire.ts';
import type { Audit } from '../audit.ts';
import { UNEXPECTED } from '../http/errors.ts';
import { type Admission, isAdmitted } from '../security/admission.ts';
import { bearerOf } from '../security/tokens.ts';
import { ANYBODY, isUnlimited, NOT_EVERYTHING, type User } from '../security/users.ts';

/** The longest time of a timer, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** A socket with a valid token. */
interface Member {
  readonly user: User;
  /** That of the users when it was admitted. */
  readonly revision: number;
  readonly until: number | undefined;
}

const members = new WeakMap<Socket, Member>();

/** Returns the token of a socket; without one of its own, the one that a proxy has added to its first request. */
function tokenOf({ handshake: { auth, headers } }: Socket): unknown {
  return auth.token ?? bearerOf(headers.authorization);
}

export function userOf(socket: Socket): User {
  return members.get(socket)?.user ?? NOBODY;
}

const NOBODY: User = { ...ANYBODY, rights: new Set() };

/**
 * Lets sockets join namespaces by their tokens: panels the root, and those who may do everything the others. Ends those
 * whose token ends, or whose user changes: a panel reconnects by itself, and fetches the list.
 */
export function admitSockets(
  io: Server,
  admission: Admission,
  addressOf: (socket: Socket) => string,
  log: Logger,
  audit?: Audit,
): void {
  const connected = new Set<Socket>();

  /** Logs a bug of ours, and returns what the client learns of it. */
  function unexpected(error: unknown): string {
    log.error({ err: error }, 'An unexpected error occurred.');
    return UNEXPECTED;
  }

  async function admit(socket: Socket): Promise<Error | undefined> {
    const { revision } = admission;
    const { name: namespace } = socket.nsp;
    const address = addressOf(socket);
    const refuse = (status: number, message: string) => {
      log.debug({ namespace, address, status }, 'Socket refused');
      // Only simulated phones have others.
      if (namespace === '/') audit?.add({ user: undefined, action: 'connect', status, address });
      return new Error(message);
    };
    const admitted = await admission.admit(tokenOf(socket), address);
    if (!isAdmitted(admitted)) return refuse(admitted.status, admitted.message);
    const { user, until } = admitted;
    if (namespace !== '/' && !isUnlimited(user)) return refuse(403, NOT_EVERYTHING);
    members.set(socket, { user, until, revision });
    log.debug({ namespace, address }, 'Socket joined');
    return undefined;
  }

  async function check(socket: Socket): Promise<void> {
    const member = members.get(socket);
    const now = await admission.recognize(tokenOf(socket)).catch(unexpected);
    if (!member || !isAdmitted(now) || !isDeepStrictEqual(member.user, now.user)) socket.disconnect(true);
  }

  function follow(socket: Socket): void {
    const { until, revision } = members.get(socket) ?? {};
    connected.add(socket);
    if (revision !== admission.revision) void check(socket);
    const end =
      until === undefined
        ? undefined
        : setTimeout(() => socket.disconnect(true), Math.min(until - Date.now(), LONGEST_TIMER));
    socket.once('disconnect', () => {
      connected.delete(socket);
      clearTimeout(end);
    });
  }

  admission.on('changed', () => {
    for (const socket of connected) void check(socket);
  });

  const guard = (namespace: Namespace) => {
    namespace.use((socket, next) => {
      admit(socket).then(next, (error: unknown) => next(new Error(unexpected(error))));
    });
    namespace.on('connection', follow);
  };
  // For every namespace, including later ones, except the one with its own tokens.
  io.on('new_namespace', (namespace) => {
    if (namespace.name !== LINK_NAMESPACE) guard(namespace);
  });
  guard(io.of('/'));
}
