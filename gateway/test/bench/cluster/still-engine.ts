import type { Delivery, Engine, Pairing, Report } from '../../../src/sessions/engine.ts';

/** An engine whose sessions connect at once, and that does nothing else. */
export class StillEngine implements Engine {
  readonly #reports = new Map<string, Report>();

  restore(): void {}

  async resume(numeros: readonly string[], begin: (numero: string) => Report): Promise<void> {
    for (const numero of numeros) await this.start(numero, begin(numero));
  }

  async release(numero: string): Promise<void> {
    this.#reports.delete(numero);
  }

  async start(numero: string, report: Report): Promise<void> {
    this.#reports.set(numero, report);
    report({ type: 'ready' });
  }

  async remove(numero: string): Promise<void> {
    this.#reports.delete(numero);
  }

  async unlink() {}

  async pair(): Promise<Pairing> {
    return { code: 'ABCD1234', expires: Date.now() + 60_000 };
  }

  async send(): Promise<Delivery> {
    return 'sent';
  }

  close(): void {
    this.#reports.clear();
  }

  /** Makes a session report once more that it is connected. @param index counts up through all sessions */
  report(index: number): void {
    const reports = [...this.#reports.values()];
    reports[index % reports.length]?.({ type: 'ready' });
  }
}
