import { now } from '../../../test/bench/now.ts';
import { BarePanel } from './bare-panel.ts';
import type { Delays } from './delays.ts';
import { readStamp } from './stamp.ts';

/** A panel that only counts what it hears, and when. */
export class Ear {
  readonly #panel: BarePanel;
  readonly #delays: Delays;
  readonly #seen: Uint8Array;
  #last = -1;
  received = 0;
  repeated = 0;
  /** Pushes that arrived after a later one. */
  late = 0;

  /** @param pushes how many are expected */
  constructor(url: string, pushes: number, delays: Delays) {
    this.#delays = delays;
    this.#seen = new Uint8Array(pushes);
    this.#panel = new BarePanel(url, (push) => {
      const stamp = readStamp(push);
      if (stamp) this.#count(stamp.index, stamp.due);
    });
  }

  get isReady(): boolean {
    return this.#panel.isReady;
  }

  #count(index: number, due: number): void {
    this.#delays.add(now() - due);
    if (this.#seen[index]) {
      this.repeated += 1;
      return;
    }
    this.#seen[index] = 1;
    this.received += 1;
    if (index < this.#last) this.late += 1;
    else this.#last = index;
  }
}
