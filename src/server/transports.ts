/**
 * The transports of socket.io-client, made safe against packets that are invalid or too long. The client (4.8) throws at
 * some of them in callbacks of the browser, so that the exception reaches the host page, and parses a text of any
 * length. Here such a packet is a transport error: the connection ends, and another one is made. Not needed once the
 * client does so itself.
 */
import { WebSocket, XHR } from 'socket.io-client';
import { LONGEST_ANSWER } from './http.ts';

/** Milliseconds after which a server that does not answer a connection attempt is given up (spec §9). */
export const CONNECT_TIMEOUT_MS = 20_000;

/** Between the packets of one poll (Engine.IO protocol, version 4). */
const SEPARATOR = '\x1e';
/**
 * EVENT and BINARY_EVENT without a payload, which the client reads unchecked, and any CONNECT_ERROR: of a message that is
 * no text the client cannot make an error, and a refused connection ends in any case.
 */
const UNCHECKED = new RegExp(`(^|${SEPARATOR})4(4|[25][^[{"${SEPARATOR}]*(${SEPARATOR}|$))`);

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
  if (typeof data === 'string' && (data.length > LONGEST_ANSWER || UNCHECKED.test(data)))
    throw new Error('bad packet');
  return data;
}
