import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What should go wrong with some of the requests that a gateway gets. */
export interface Fault {
  readonly method: string;
  /** The path without the query; `*` stands for anything. */
  readonly path: string;
  /** How many requests it happens to; without it, to all. */
  readonly times?: number;
  readonly delayMs?: number;
  /** Keeps the request waiting until the fault is lifted. */
  readonly hold?: boolean;
  /** Cuts the connection without an answer. */
  readonly destroy?: boolean;
  /** Answers this instead of the gateway. */
  readonly answer?: {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  };
}

/** The faults that lie in wait in one gateway. */
export class Faults {
  readonly #faults = new Map<string, { fault: Fault; happened: number; lifted: AbortController }>();
  #lastId = 0;

  add(fault: Fault): string {
    this.#lastId += 1;
    const id = String(this.#lastId);
    this.#faults.set(id, { fault, happened: 0, lifted: new AbortController() });
    return id;
  }

  /** Lifts one fault, and lets go of the requests that it holds. */
  lift(id: string): void {
    this.#faults.get(id)?.lifted.abort();
    this.#faults.delete(id);
  }

  /** Whether a fault that has not been lifted has happened to a request. */
  hasMet(id: string): boolean {
    return (this.#faults.get(id)?.happened ?? 0) > 0;
  }

  liftAll(): void {
    for (const id of [...this.#faults.keys()]) this.lift(id);
  }

  /** Does to a request what the faults that fit it say, the newest first, until one of them has answered it. */
  async meet(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const path = pathOf(request);
    const fitting = [...this.#faults.values()].filter(({ fault }) => fits(fault, request.method, path));
    for (const entry of fitting.reverse()) {
      if (entry.happened === entry.fault.times) continue;
      entry.happened += 1;
      const { delayMs, hold, destroy, answer } = entry.fault;
      const { signal } = entry.lifted;
      if (delayMs) await sleep(delayMs);
      if (hold && !signal.aborted) await once(signal, 'abort');
      if (destroy) {
        reply.hijack();
        // Of a request whose body has been read, the socket would stay.
        request.raw.socket.destroy();
        return;
      }
      if (answer) {
        await reply
          .code(answer.status ?? 200)
          .headers(answer.headers ?? {})
          .send(answer.body ?? '');
        return;
      }
    }
  }
}

export function pathOf(request: FastifyRequest): string {
  return request.url.replace(/\?.*/s, '');
}

function fits(fault: Fault, method: string, path: string): boolean {
  const pattern = fault.path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return fault.method === method && new RegExp(`^${pattern}$`).test(path);
}
