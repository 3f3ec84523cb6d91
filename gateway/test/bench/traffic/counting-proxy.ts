import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What a request is for. Everything on a WebSocket belongs to the connection. */
export type Purpose = 'script' | 'list' | 'connection' | 'other';

/** Bytes of TCP, without its own headers. */
export interface Counts {
  readonly requests: number;
  readonly toPanel: number;
  readonly fromPanel: number;
}

const NOTHING: Counts = { requests: 0, toPanel: 0, fromPanel: 0 };

/** At the beginning of a chunk: browsers do not pipeline, and a masked frame does not begin with a letter. */
const REQUEST_LINE = /^[A-Z]+ (\/\S*) HTTP\/1\.1\r\n/;

/** A TCP proxy before a gateway, which counts what passes. Without a gateway it closes each connection upon its request. */
export class CountingProxy {
  readonly #port: number;
  readonly #server = createServer((client) => this.#accept(client));
  readonly #clients = new Set<Socket>();
  #counts = new Map<Purpose, Counts>();
  /** When something passed last, by `performance.now`. */
  lastByte = 0;

  /** @param port of the gateway */
  constructor(port: number) {
    this.#port = port;
  }

  /** Returns the URL that it listens on. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    // A server on a TCP port has such an address.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Returns what has passed for these purposes, or for all, since the start or {@link reset}. */
  counts(...purposes: readonly Purpose[]): Counts {
    return (purposes.length === 0 ? [...this.#counts.keys()] : purposes)
      .map((purpose) => this.#counts.get(purpose) ?? NOTHING)
      .reduce((sum, one) => added(sum, one), NOTHING);
  }

  reset(): void {
    this.#counts = new Map();
  }

  close(): void {
    this.#server.close();
    for (const client of this.#clients) client.destroy();
  }

  #accept(client: Socket): void {
    let purpose: Purpose = 'other';
    this.#clients.add(client);
    client.on('error', () => {});
    client.on('close', () => this.#clients.delete(client));
    client.on('data', (chunk) => {
      const path = REQUEST_LINE.exec(chunk.toString('latin1'))?.[1];
      if (path !== undefined) purpose = purposeOf(path);
      this.#count(purpose, { requests: path === undefined ? 0 : 1, toPanel: 0, fromPanel: chunk.length });
    });
    client.once('data', (first) => {
      const gateway = connect(this.#port, '127.0.0.1');
      gateway.on('error', () => client.destroy());
      gateway.on('close', () => client.destroy());
      client.on('close', () => gateway.destroy());
      gateway.on('data', ({ length }) =>
        this.#count(purpose, { requests: 0, toPanel: length, fromPanel: 0 }),
      );
      gateway.write(first);
      client.pipe(gateway).pipe(client);
    });
  }

  #count(purpose: Purpose, more: Counts): void {
    this.lastByte = performance.now();
    this.#counts.set(purpose, added(this.counts(purpose), more));
  }
}

function added(one: Counts, other: Counts): Counts {
  return {
    requests: one.requests + other.requests,
    toPanel: one.toPanel + other.toPanel,
    fromPanel: one.fromPanel + other.fromPanel,
  };
}

function purposeOf(path: string): Purpose {
  if (path.startsWith('/socket.io/')) return 'connection';
  if (path === '/api/session/sessions') return 'list';
  return path === '/bench/panel.js' ? 'script' : 'other';
}
