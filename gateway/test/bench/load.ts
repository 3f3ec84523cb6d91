import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** Resource usage of a process while it was watched. */
export interface Load {
  /** Share of one core. More than 1 is possible, since the garbage collector has its own threads. */
  readonly cpu: number;
  /** Peak resident memory, in bytes, sampled every 100 ms. */
  readonly memory: number;
  /** 99th percentile of the event loop's delay, in milliseconds. */
  readonly loopDelay: number;
}

const LOOK_EVERY = 100;
/** The histogram's own interval, which it counts even for an idle loop, in milliseconds. */
const RESOLUTION = 10;

/** Watches this process until {@link stop}. */
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
