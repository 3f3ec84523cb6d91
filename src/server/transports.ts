/**
 * The transports of socket.io-client, made safe against packets that are invalid, too long or too many. The client (4.8)
 * throws at some of them in callbacks of the browser, so that the exception reaches the host page, and takes all that
 * come at once. Here such a packet is a transport error: the connection ends, and another one is made. Not needed once the
 * client does so itself.
 */
import { WebSocket, XHR } from 'socket.io-client';

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
