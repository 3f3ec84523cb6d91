import type { Delivery, Engine, Pairing, Report } from '../../src/sessions/engine.ts';

/** An engine whose sessions connect at once, and answer probes while they live. */
export class LivingEngine implements Engine {
  readonly reports = new Map<string, Report>();
  /** The sessions that were probed, and those that were connected anew. */
  readonly probed: string[] = [];
  readonly reconnected: string[] = [];
  isAlive: boolean | undefined = true;
  restore() {}
  close() {}
  async start(numero: string, report: Report) {
    this.reports.set(numero, report);
    report({ type: 'ready' });
  }
  async remove() {}
  async unlink() {}
  async pair(): Promise<Pairing> {
    throw new Error('not used');
  }
  async send(): Promise<Delivery> {
    return 'sent';
  }
  async probe(numero: string) {
    this.probed.push(numero);
    return this.isAlive;
  }
  reconnect(numero: string) {
    this.reconnected.push(numero);
  }
}
