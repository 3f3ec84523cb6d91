/** The live connection: socket.io-client with transports of its own. */
import { Manager, type Socket, WebSocket, XHR } from 'socket.io-client';
import type { Push } from '../session/session.ts';
import type { ServerSettings } from '../settings.ts';

const CONNECT_TIMEOUT_MS = 20_000;

/** The longest poll or frame, in characters: a browser parses it in a fraction of a second, whatever it contains. */
const LONGEST_DATA = 2_000_000;
const MOST_PACKETS = 10_000;
/** Between the packets of one poll (Engine.IO protocol, version 4). */
const SEPARATOR = '\x1e';
/**
 * EVENT and BINARY_EVENT without a payload, which the client reads unchecked, and every CONNECT_ERROR: the client throws at
 * one whose message is not a string, and a refused connection ends in any case.
 */
const UNCHECKED = /^4(4|[25][^[{"]*$)/;

/*
 * The client (4.8) throws at some invalid packets in callbacks of the browser, so that the exception reaches the host page,
 * and takes however many packets come at once. In these transports such a packet is a transport error: the connection ends,
 * and another one is made.
 */

class PollingTransport extends XHR {
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
    receive(data, super.onData.bind(this), (error) => this.onError('parse error', error));
  }
}

class WebSocketTransport extends WebSocket {
  protected override onData(data: unknown): void {
    receive(data, super.onData.bind(this), (error) => this.onError('parse error', error));
  }
}

/** Has the client parse data, unless a packet in it is invalid. */
function receive(data: unknown, parse: (data: unknown) => void, fail: (error: unknown) => void): void {
  const text = typeof data === 'string' ? data : '';
  const packets = text.split(SEPARATOR, MOST_PACKETS + 1);
  const isTooMuch = text.length > LONGEST_DATA || packets.length > MOST_PACKETS;
  try {
    if (isTooMuch || packets.some((one) => UNCHECKED.test(one))) throw new Error('bad packet');
    parse(data);
  } catch (error) {
    fail(error);
  }
}

/** Milliseconds after which a hidden page no longer polls: six of them would take all connections that browsers have per origin. */
const HIDDEN_MS = 60_000;

/** Milliseconds to the next attempt: the first delay, doubled each time up to the longest, ± 50 %. */
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 5_000;

/** What is told of the server and the connection to it. */
export type News =
  | Push
  /** The server has announced what it can do beside the contract, and by what it tells people, if it does. */
  | {
      readonly type: 'extensions';
      readonly words: ReadonlySet<string>;
      readonly notifies: string | undefined;
    }
  | { readonly type: 'permissions'; readonly words: ReadonlySet<string> }
  /** An attempt to connect has ended, or the connection is lost. */
  | { readonly type: 'connection'; readonly connected: boolean }
  /** Calls that have waited this long, in milliseconds, are to be given up. */
  | { readonly type: 'stalled'; readonly ms: number }
  /** Another panel loads the list, whose answer is for all. */
  | { readonly type: 'loading' };

export type Tell = (news: News) => void;

/**
 * Keeps a live connection to a Socket.IO server, on the root namespace. Returns the function that ends it.
 *
 * Each attempt creates a new socket and manager. The client's own reconnection reuses them, and gives up where the server
 * disconnects or refuses the socket, where CONNECT is not answered, and where a CONNECT_ERROR comes on a connected
 * socket, which then cannot connect again (socket.io-client 4.8).
 *
 * @param auth - returns the handshake's `auth`; called for each attempt, and never rejects
 * @param tell - is told of each attempt to connect that has ended, of the loss of the connection, of what `read` understands,
 *   and when calls are to be given up: browsers open six connections per origin on HTTP/1.1, hanging calls would occupy them
 *   all, and the polling of a new connection could not start
 */
export function keepConnected(
  {
    socketOrigin,
    socketPath,
    credentials,
  }: Pick<ServerSettings, 'socketOrigin' | 'socketPath' | 'credentials'>,
  auth: () => Promise<object>,
  tell: Tell,
  read: (name: string, args: unknown[]) => News | undefined,
): () => void {
  /** Undefined in Node. */
  const page: Document | undefined = globalThis.document;
  const stopping = new AbortController();
  const { signal } = stopping;
  let socket: Socket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stalling: ReturnType<typeof setTimeout> | undefined;
  let delay = FIRST_DELAY_MS;

  const giveUp = (ms: number) => tell({ type: 'stalled', ms });

  /** Leaves, and makes no attempt that was due. */
  function leave(): void {
    clearTimeout(timer);
    socket?.off().offAny().disconnect();
    socket = undefined;
  }

  function connectIn(ms: number): void {
    leave();
    timer = setTimeout(connect, ms);
  }

  function connect(): void {
    socket = new Manager(socketOrigin, {
      path: socketPath,
      transports: [PollingTransport, WebSocketTransport],
      reconnection: false,
      withCredentials: credentials === 'include',
    }).socket('/', { auth: (give) => void auth().then(give) });
    let connectedAt = Infinity;

    function end(): void {
      // A server that drops connections at once is asked no more often than one that refuses them.
      if (performance.now() - connectedAt > LONGEST_DELAY_MS) delay = FIRST_DELAY_MS;
      const varied = delay * (0.5 + Math.random());
      delay *= 2;
      // Even the longest delay varies: a thousand panels must not come back in the same second.
      connectIn(varied < LONGEST_DELAY_MS ? varied : LONGEST_DELAY_MS * (1 - Math.random() / 2));
      if (connectedAt < Infinity) stalling = setTimeout(() => giveUp(LONGEST_DELAY_MS), LONGEST_DELAY_MS);
      tell({ type: 'connection', connected: false });
    }

    // The client's own timer does not cover the answer to CONNECT.
    timer = setTimeout(() => {
      end();
      giveUp(CONNECT_TIMEOUT_MS);
    }, CONNECT_TIMEOUT_MS);
    // Once: a server that repeats CONNECT makes no other connection.
    socket.once('connect', () => {
      turned();
      clearTimeout(stalling);
      connectedAt = performance.now();
      tell({ type: 'connection', connected: true });
    });
    socket.on('disconnect', end);
    socket.on('connect_error', end);
    // One listener for all, instead of five for each numero, needs no bookkeeping and misses no code. The protocol allows
    // numbers as names.
    socket.onAny((name: string | number, ...args: unknown[]) => {
      const news = read(String(name), args);
      if (news) tell(news);
    });
  }

  /** A hidden page stops polling without a word: that is no failure, and nobody looks. */
  function turned(): void {
    if (socket?.connected) {
      clearTimeout(timer);
      if (page?.hidden)
        timer = setTimeout(() => {
          if (socket?.io.engine.transport.name === 'polling') leave();
        }, HIDDEN_MS);
    } else if (!socket && !page?.hidden) renew();
  }

  /** What the browser has frozen may have died meanwhile, which long polling notices late. */
  const renew = () => connectIn(0);

  page?.addEventListener('visibilitychange', turned, { signal });
  page?.addEventListener('resume', renew, { signal });
  page?.defaultView?.addEventListener('pageshow', ({ persisted }) => persisted && renew(), { signal });
  // The list, which is requested in the same task, comes first.
  renew();
  return () => {
    stopping.abort();
    clearTimeout(stalling);
    leave();
  };
}
