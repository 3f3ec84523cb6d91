import { now } from '../../../test/bench/now.ts';
import { BarePanel } from './bare-panel.ts';
import type { Delays } from './delays.ts';
import { readStamp } from './stamp.ts';

/** A panel that only counts what it hears, and when. */
export class Ear {
  readonly #panel: BarePanel;
  readonly #delays: Delays;
  readonly #seen: Uint8Array;
  /** The last index of each lane. */
  readonly #last: Int32Array;
  received = 0;
  repeated = 0;
  /** Pushes that arrived after a later one of their lane. */
  late = 0;

  /**
   * @param pushes how many are expected
   * @param lanes pushes whose indexes have the same rest by this number arrive in order
   */
  constructor(url: string, pushes: number, delays: Delays, lanes = 1) {
    this.#delays = delays;
    this.#seen = new Uint8Array(pushes);
    this.#last = new Int32Array(lanes).fill(-1);
    this.#panel = new BarePanel(url, (push) => {
      const stamp = readStamp(push);
      if (stamp) this.#count(stamp.index, stamp.due);
    });
  }

  get isReady(): boolean {
    return this.#panel.isReady;
  }

  /** Whether its connection has ended: what it misses from then on is lost to it. */
  get isClosed(): boolean {
    return this.#panel.isClosed;
  }

  #count(index: number, due: number): void {
    this.#delays.add(now() - due);
    if (this.#seen[index]) {
      this.repeated += 1;
      return;
    }
    this.#seen[index] = 1;
    this.received += 1;
    const lane = index % this.#last.length;
    if (index < (this.#last[lane] ?? 0)) this.late += 1;
    else this.#last[lane] = index;
  }
}
