import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Scope } from './scope.ts';

/** A TCP proxy to the gateway that can stall. */
export class Line {
  readonly #ends = new Set<Socket>();
  readonly #server = createServer((near) => this.#join(near));
  readonly #url: URL;

  private constructor(url: string) {
    this.#url = new URL(url);
  }

  static async lay(scope: Scope, url: string): Promise<Line> {
    const line = new Line(url);
    line.#server.listen(0, '127.0.0.1');
    await once(line.#server, 'listening');
    scope.after(() => {
      line.#server.close();
      for (const end of line.#ends) end.destroy();
    });
    return line;
  }

  get url(): string {
    const address = this.#server.address();
    assert.ok(address && typeof address === 'object');
    return `http://127.0.0.1:${address.port}`;
  }

  stop(): void {
    for (const end of this.#ends) end.pause();
  }

  goOn(): void {
    for (const end of this.#ends) end.resume();
  }

  #join(near: Socket): void {
    const far = connect(Number(this.#url.port), this.#url.hostname);
    this.#carry(near, far);
    this.#carry(far, near);
  }

  #carry(from: Socket, to: Socket): void {
    this.#ends.add(from);
    from.on('data', (data) => to.write(data));
    from.on('error', () => {});
    from.once('close', () => {
      this.#ends.delete(from);
      to.destroy();
    });
  }
}
