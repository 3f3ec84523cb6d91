import { io, type Socket } from 'socket.io-client';
import { CONNECT_TIMEOUT_MS, PollingTransport, WebSocketTransport } from './transports.ts';

/** Milliseconds to the next attempt: the first delay, doubled each time up to the longest, ± 50 %. */
const FIRST_DELAY_MS = 1_000;
export const LONGEST_DELAY_MS = 5_000;

interface ConnectionOptions {
  /** Of the Socket.IO server, such as `https://gateway.example`. */
  readonly origin: string;
  /** Of the Socket.IO server, such as `/socket.io/`. */
  readonly path: string;
  /** Whether cookies go to another origin too. */
  readonly withCredentials: boolean;
  /** Returns the handshake's `auth`. Called for each attempt. Never rejects. */
  readonly auth: () => Promise<object>;
}

/** Why there is no connection: it broke, an attempt failed or was refused, or nothing answered. */
type ConnectionEnd = 'lost' | 'failed' | 'unanswered';

interface ConnectionListener {
  connected(): void;
  /** The connection or an attempt has ended. Another attempt follows. */
  ended(end: ConnectionEnd): void;
  event(name: unknown, args: unknown[]): void;
}

/**
 * Keeps a live connection to a Socket.IO server, on the root namespace. Returns the function that ends it.
 *
 * Each attempt has a new socket and manager. The client's own reconnection reuses them, and gives up where the server
 * disconnects or refuses the socket, where CONNECT is not answered, and where a CONNECT_ERROR comes on a connected
 * socket, which then cannot connect again (socket.io-client 4.8).
 */
export function keepConnected(
  { origin, path, withCredentials, auth }: ConnectionOptions,
  listener: ConnectionListener,
): () => void {
  let leave = () => {};
  /** How many attempts in a row have failed. */
  let failures = 0;

  function connect(): void {
    // The client's own timer does not cover the answer to CONNECT.
    const timer = setTimeout(() => end('unanswered'), CONNECT_TIMEOUT_MS);
    const socket = io(origin, {
      path,
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

    function end(how: ConnectionEnd): void {
      clearTimeout(timer);
      // A server that drops connections at once is asked no more often than one that refuses them.
      const held = connectedAt !== undefined && performance.now() - connectedAt > LONGEST_DELAY_MS;
      failures = held ? 0 : failures + 1;
      const retry = setTimeout(connect, delayAfter(failures));
      leave = () => clearTimeout(retry);
      discard(socket);
      listener.ended(how);
    }

    // Once: a server that repeats CONNECT makes no other connection.
    socket.once('connect', () => {
      clearTimeout(timer);
      connectedAt = performance.now();
      listener.connected();
    });
    const ended = () => end(connectedAt === undefined ? 'failed' : 'lost');
    socket.on('disconnect', ended);
    socket.on('connect_error', ended);
    // One listener instead of five for each numero: no bookkeeping, and no code is missed.
    socket.onAny((name: unknown, ...args: unknown[]) => listener.event(name, args));
  }

  connect();
  return () => leave();
}

/** At the longest delay it varies too: a thousand panels must not come back in the same second. */
function delayAfter(failures: number): number {
  const delay = FIRST_DELAY_MS * 2 ** Math.max(0, failures - 1) * (0.5 + Math.random());
  return delay < LONGEST_DELAY_MS ? delay : LONGEST_DELAY_MS * (1 - Math.random() / 2);
}

function discard(socket: Socket): void {
  socket.off();
  socket.offAny();
  socket.disconnect();
}
