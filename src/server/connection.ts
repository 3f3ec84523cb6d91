/**
 * The transports of socket.io-client, made safe against packets that are invalid, too long or too many. The client (4.8)
 * throws at some of them in callbacks of the browser, so that the exception reaches the host page, and takes all that
 * come at once. Here such a packet is a transport error: the connection ends, and another one is made. Not needed once the
 * client does so itself.
 */
import { io, type Socket, WebSocket, XHR } from 'socket.io-client';

/** Milliseconds after which a server that does not answer a connection attempt is given up. */
export const CONNECT_TIMEOUT_MS = 20_000;

/** The longest poll or frame, in characters: it takes a browser a fraction of a second, whatever is in it. */
const LONGEST_DATA = 2_000_000;
/** The most packets of a poll. */
const MOST_PACKETS = 10_000;
/** Between the packets of one poll (Engine.IO protocol, version 4). */
const SEPARATOR = '\x1e';
/**
 * EVENT and BINARY_EVENT without a payload, which the client reads unchecked, and any CONNECT_ERROR: of a message that is
 * no text the client cannot make an error, and a refused connection ends in any case.
 */
const UNCHECKED = /^4(4|[25][^[{"]*$)/;

export class PollingTransport extends XHR {
  constructor(...args: ConstructorParameters<typeof XHR>) {
    super(...args);
    // A poll that hangs keeps one of the six connections that browsers have per origin (HTTP/1.1).
    this.opts.requestTimeout = CONNECT_TIMEOUT_MS;
    this.socket.on('handshake', ({ sid, pingInterval, pingTimeout }) => {
      // The client writes the sid into URLs unchecked.
      if (typeof sid !== 'string') throw new Error('bad packet');
      this.opts.requestTimeout = pingInterval + pingTimeout;
    });
    // When a WebSocket fails after polling has paused for it, the client hears nothing until the ping timeout.
    this.socket.once('upgrading', () =>
      this.socket.once('upgradeError', (error) => {
        // An open transport tells the server, which then ends the waiting poll.
        this.readyState = 'open';
        this.onError('upgrade error', error);
      }),
    );
  }

  override onData(data: unknown): void {
    attempt(
      () => super.onData(checked(data)),
      (error) => this.onError('parse error', error),
    );
  }
}

export class WebSocketTransport extends WebSocket {
  protected override onData(data: unknown): void {
    attempt(
      () => super.onData(checked(data)),
      (error) => this.onError('parse error', error),
    );
  }
}

function attempt(task: () => void, failed: (error: unknown) => void): void {
  try {
    task();
  } catch (error) {
    failed(error);
  }
}

function checked(data: unknown): unknown {
  if (typeof data !== 'string') return data;
  const packets = data.split(SEPARATOR, MOST_PACKETS + 1);
  if (
    data.length > LONGEST_DATA ||
    packets.length > MOST_PACKETS ||
    packets.some((one) => UNCHECKED.test(one))
  )
    throw new Error('bad packet');
  return data;
}

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
