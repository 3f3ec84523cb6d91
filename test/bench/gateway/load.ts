import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** What a process used up while it was watched. */
export interface Load {
  /** Of one core: 1 is all of it. More is possible, since the garbage collector has threads of its own. */
  readonly cpu: number;
  /** Resident memory at its highest, in bytes, by a look every 100 ms. */
  readonly memory: number;
  /** How long what was due had to wait for the event loop, 99 of 100 times at most, in milliseconds. */
  readonly loopDelay: number;
}

const LOOK_EVERY = 100;
/** What the histogram counts of an idle loop too, in milliseconds: its own interval. */
const RESOLUTION = 10;

/** Watches this process from now until {@link stop}. */
export class LoadWatch {
  readonly #start = performance.now();
  readonly #cpu = process.cpuUsage();
  readonly #loop: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  readonly #looks: NodeJS.Timeout;
  #memory = 0;

  constructor() {
    this.#loop.enable();
    this.#look();
    this.#looks = setInterval(() => this.#look(), LOOK_EVERY);
  }

  stop(): Load {
    clearInterval(this.#looks);
    this.#look();
    this.#loop.disable();
    const { user, system } = process.cpuUsage(this.#cpu);
    const milliseconds = performance.now() - this.#start;
    return {
      cpu: (user + system) / 1_000 / milliseconds,
      memory: this.#memory,
      loopDelay: Math.max(0, this.#loop.percentile(99) / 1e6 - RESOLUTION),
    };
  }

  #look(): void {
    this.#memory = Math.max(this.#memory, process.memoryUsage.rss());
  }
}
