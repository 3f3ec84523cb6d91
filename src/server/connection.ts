import { io, type Socket } from 'socket.io-client';
import { CONNECT_TIMEOUT_MS, PollingTransport, WebSocketTransport } from './transports.ts';

/** Milliseconds to the next attempt: the first delay, doubled each time up to the longest, give or take half (spec §9). */
const FIRST_DELAY_MS = 1_000;
export const LONGEST_DELAY_MS = 5_000;

export interface ConnectionOptions {
  /** Of the Socket.IO server, such as `https://gateway.example`. */
  readonly origin: string;
  /** Whether cookies go to another origin too. */
  readonly withCredentials: boolean;
  /** Gives what goes into the handshake as `auth`. Called for each attempt. Never rejects. */
  readonly auth: () => Promise<object>;
}

/** Why there is no connection: it broke, an attempt was refused or failed, or nothing answered an attempt. */
export type ConnectionEnd = 'lost' | 'failed' | 'unanswered';

export interface ConnectionListener {
  connected(): void;
  /** The connection, or an attempt to make it, has ended. Another attempt follows. */
  ended(end: ConnectionEnd): void;
  event(name: unknown, args: unknown[]): void;
}

/**
 * Keeps a live connection to a Socket.IO server, on the root namespace and the default path (spec §7), until the
 * function that it gives is called.
 *
 * Each attempt has a socket and a manager of its own. The client's own reconnection uses them again, and gives up where
 * the server disconnects or refuses the socket, where CONNECT is not answered, and where a CONNECT_ERROR comes on a
 * connected socket, which cannot be connected again (socket.io-client 4.8).
 */
export function keepConnected(
  { origin, withCredentials, auth }: ConnectionOptions,
  listener: ConnectionListener,
): () => void {
  let leave = () => {};
  /** How many attempts in a row came to nothing. */
  let failures = 0;

  function connect(): void {
    // Before the client's own timer, which has the same time and does not cover the answer to CONNECT.
    const timer = setTimeout(() => end('unanswered'), CONNECT_TIMEOUT_MS);
    const socket = io(origin, {
      transports: [PollingTransport, WebSocketTransport],
      // A shared manager would outlive the panel.
      forceNew: true,
      reconnection: false,
      withCredentials,
      auth: (give) => void auth().then(give),
    });
    let connectedAt: number | undefined;
    leave = () => {
      clearTimeout(timer);
      discard(socket);
    };

    function end(reason: ConnectionEnd): void {
      clearTimeout(timer);
      // A server that takes a connection and drops it at once is asked no more often than one that refuses it.
      const held = connectedAt !== undefined && performance.now() - connectedAt > LONGEST_DELAY_MS;
      failures = held ? 0 : failures + 1;
      const retry = setTimeout(connect, delayAfter(failures));
      leave = () => clearTimeout(retry);
      discard(socket);
      listener.ended(reason);
    }

    // Once: a server can say it again, which is no other connection.
    socket.once('connect', () => {
      clearTimeout(timer);
      connectedAt = performance.now();
      listener.connected();
    });
    const ended = () => end(connectedAt === undefined ? 'failed' : 'lost');
    socket.on('disconnect', ended);
    socket.on('connect_error', ended);
    // One listener for all, instead of five for each numero: no bookkeeping, and no code is missed.
    socket.onAny((name: unknown, ...args: unknown[]) => listener.event(name, args));
  }

  connect();
  return () => leave();
}

function delayAfter(failures: number): number {
  const delay = FIRST_DELAY_MS * 2 ** Math.max(0, failures - 1);
  return Math.min(LONGEST_DELAY_MS, delay * (0.5 + Math.random()));
}

function discard(socket: Socket): void {
  socket.off();
  socket.offAny();
  socket.disconnect();
}
