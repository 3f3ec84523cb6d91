/**
 * The transports of socket.io-client, safe from what a server sends. The client (4.8) throws at some packets; since it
 * hears of them in callbacks of the browser, the exception would reach the host page. Here such a packet is an error of
 * the transport: the connection ends, and another one is made. Not needed once the client itself does so.
 */
import { WebSocket, XHR } from 'socket.io-client';

/** Milliseconds after which a server that does not answer a connection attempt is given up (spec §9). */
export const CONNECT_TIMEOUT_MS = 20_000;

/** Between the packets of one poll (Engine.IO protocol, version 4). */
const SEPARATOR = String.fromCharCode(0x1e);
/** EVENT, CONNECT_ERROR and BINARY_EVENT without a payload: the client reads it without a look. */
const WITHOUT_PAYLOAD = new RegExp(`(?:^|${SEPARATOR})4[245][^[{"${SEPARATOR}]*(?:${SEPARATOR}|$)`);

export class PollingTransport extends XHR {
  constructor(...args: ConstructorParameters<typeof XHR>) {
    super(...args);
    // A poll that hangs would keep one of the six connections that browsers have for an origin (HTTP/1.1).
    this.opts.requestTimeout = CONNECT_TIMEOUT_MS;
    this.socket.on('handshake', ({ sid, pingInterval, pingTimeout }) => {
      // The client writes the sid into URLs, whatever it is.
      if (typeof sid !== 'string') throw new Error('The sid is no text');
      this.opts.requestTimeout = pingInterval + pingTimeout;
    });
    // A WebSocket that fails once polling has stopped for it leaves the client deaf until the ping timeout.
    this.socket.once('upgrading', () =>
      this.socket.once('upgradeError', (error) => {
        // Only then is the server told, which ends the poll that is still waiting.
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
  if (typeof data === 'string' && WITHOUT_PAYLOAD.test(data)) throw new Error('A packet has no payload');
  return data;
}
