import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Scope } from '../../../../test/support/scope.ts';

/** Starts a link to a port of loopback; it ends with the test. */
export async function startLink(scope: Scope, target: number): Promise<Link> {
  const link = new Link(target);
  scope.after(() => link.close());
  return link.listens();
}

/** A way to a server that can fail as networks do. */
export class Link {
  readonly #server: Server;
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  /** How many connections it has taken, a frozen one too. */
  taken = 0;
  #delay = 0;
  #thawed = Promise.resolve();
  #thaw: (() => void) | undefined;

  constructor(target: number) {
    this.#target = target;
    this.#server = createServer({ allowHalfOpen: true }, (client) => void this.#join(client));
  }

  async listens(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The link is closed');
    return address.port;
  }

  /** Returns a URL at the target, by way of this link. */
  url(target: string): string {
    return target.replace(`:${this.#target}`, `:${this.port}`);
  }

  /** Holds back everything, new connections too, without a sign to either side. */
  freeze(): void {
    if (this.#thaw) return;
    this.#thawed = new Promise((resolve) => {
      this.#thaw = resolve;
    });
    for (const socket of this.#sockets) socket.pause();
  }

  /** Delivers what was held back, late. */
  thaw(): void {
    this.#thaw?.();
    this.#thaw = undefined;
    for (const socket of this.#sockets) socket.resume();
  }

  /** Breaks all connections; new ones are taken. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Delays what clients send from now on, in milliseconds. */
  slow(delay: number): void {
    this.#delay = delay;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#thaw?.();
    this.cut();
    await closed;
  }

  async #join(client: Socket): Promise<void> {
    this.taken += 1;
    this.#keep(client);
    await this.#thawed;
    if (client.destroyed) return;
    const server = connect({ port: this.#target, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    client.setNoDelay();
    this.#keep(server);
    this.#forward(client, server, () => this.#delay);
    this.#forward(server, client, () => 0);
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    if (this.#thaw) socket.pause();
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
  }

  /** Passes on everything in order, the end too. */
  #forward(from: Socket, to: Socket, delay: () => number): void {
    let passed: Promise<unknown> = Promise.resolve();
    const pass = (act: () => void) => {
      const due = performance.now() + delay();
      passed = passed
        .then(() => this.#thawed)
        .then(() => wait(Math.max(0, due - performance.now())))
        .then(act);
    };
    from.on('data', (chunk) => pass(() => to.write(chunk)));
    from.on('end', () => pass(() => to.end()));
    from.on('close', () => pass(() => to.destroy()));
  }
}
