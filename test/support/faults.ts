import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A fault in some of a gateway's requests. */
export interface Fault {
  readonly method: string;
  /** The path without the query; `*` stands for anything. */
  readonly path: string;
  /** How many requests it affects; all by default. */
  readonly times?: number;
  /** Keeps the request waiting until the fault is lifted. */
  readonly hold?: boolean;
  /** Replaces the gateway's answer. */
  readonly answer?: {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  };
}

/** The faults of one gateway. */
export class Faults {
  readonly #faults = new Map<string, { fault: Fault; happened: number; lifted: AbortController }>();
  #lastId = 0;

  add(fault: Fault): string {
    this.#lastId += 1;
    const id = String(this.#lastId);
    this.#faults.set(id, { fault, happened: 0, lifted: new AbortController() });
    return id;
  }

  /** Lifts one fault, and releases the requests that it holds. */
  lift(id: string): void {
    this.#faults.get(id)?.lifted.abort();
    this.#faults.delete(id);
  }

  /** Whether a fault that has not been lifted has affected a request. */
  hasMet(id: string): boolean {
    return (this.#faults.get(id)?.happened ?? 0) > 0;
  }

  liftAll(): void {
    for (const id of [...this.#faults.keys()]) this.lift(id);
  }

  /** Applies the faults that match a request, the newest first, until one has answered it. */
  async meet(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const path = pathOf(request);
    const matching = [...this.#faults.values()].filter(({ fault }) => matches(fault, request.method, path));
    for (const entry of matching.reverse()) {
      if (entry.happened === entry.fault.times) continue;
      entry.happened += 1;
      const { hold, answer } = entry.fault;
      const { signal } = entry.lifted;
      if (hold && !signal.aborted) await once(signal, 'abort');
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

function matches(fault: Fault, method: string, path: string): boolean {
  const pattern = fault.path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return fault.method === method && new RegExp(`^${pattern}$`).test(path);
}
