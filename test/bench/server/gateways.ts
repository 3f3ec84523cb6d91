import { createSeeds } from '../../../gateway/src/engines/simulated/seeds.ts';
import type { Push } from '../../../gateway/src/sessions/transitions.ts';
import { Child } from '../child.ts';
import type { ServerCalls, Sessions } from './process.ts';

/** The gateways of the benchmark: one process, and a gateway in it for each list of sessions. */
export class Gateways {
  /** Whether they are of the plain contract: without extensions. */
  readonly #plain: boolean;
  readonly #process = new Child<ServerCalls>(new URL('process.ts', import.meta.url));

  constructor(plain: boolean) {
    this.#plain = plain;
  }

  async start(sessions: Omit<Sessions, 'plain'>): Promise<Gateway> {
    const url = await this.#process.ask('start', { ...sessions, plain: this.#plain });
    return {
      url,
      numeros: createSeeds(sessions.count).map(({ numero }) => numero),
      push: (pushes, perSecond = 1000) => this.#process.ask('push', { url, pushes, perSecond }),
    };
  }

  close(): void {
    this.#process.leave();
  }
}

export interface Gateway {
  readonly url: string;
  /** In the order of the list. */
  readonly numeros: readonly string[];
  /** Resolves when all have been sent, with the moment of the last, in milliseconds since 1970. */
  push(pushes: readonly Push[], perSecond?: number): Promise<number>;
}
