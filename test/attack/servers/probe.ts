import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Run } from '../../../gateway/test/support/command.ts';
import { itemsOf } from '../../../gateway/test/support/gateway.ts';
import type { Scope } from '../../support/scope.ts';
import { residentMemory } from '../inside/read-gauge.ts';

/** What a QR code can hold, and WhatsApp writes. */
const SCANNABLE = /^[\x20-\x7e]{1,2953}$/;

/** How often the gateway is called, in milliseconds. */
const INTERVAL = 100;

/** Calls a gateway all the time, and notes how long answers took and how much memory it had. */
export class Probe {
  /** The longest time that an answer took, in milliseconds. */
  slowest = 0;
  /** The most memory, in bytes. */
  memory = 0;
  calls = 0;
  readonly #stop = new AbortController();
  readonly #watching: Promise<void>;

  constructor(scope: Scope, run: Run, url: string) {
    this.#watching = this.#watch(run, url);
    this.#watching.catch(() => {});
    scope.after(() => this.end());
  }

  /** Rejects with what made a call fail. */
  async end(): Promise<void> {
    this.#stop.abort();
    await this.#watching;
  }

  async #watch(run: Run, url: string): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const begun = performance.now();
      const sessions = await itemsOf({ url });
      this.slowest = Math.max(this.slowest, performance.now() - begun);
      this.memory = Math.max(this.memory, await residentMemory(run));
      this.calls += 1;
      for (const { numero, qrCode } of sessions) {
        if (qrCode !== undefined) assert.match(qrCode, SCANNABLE, numero);
      }
      await sleep(INTERVAL);
    }
  }
}
