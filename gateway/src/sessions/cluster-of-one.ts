import type { WireListItem, WirePairing } from '../../../src/wire.ts';
import type { Cluster } from './cluster.ts';
import { SessionRefused } from './errors.ts';
import type { Registry } from './registry.ts';
import type { Session } from './session.ts';
import type { Push } from './transitions.ts';

/** A gateway alone. */
export class ClusterOfOne implements Cluster {
  readonly #emit: (push: Push) => void;
  readonly #own: () => Registry;
  readonly isReady = true;

  /**
   * @param emit receives the pushes for the panels
   * @param own returns the sessions of this gateway
   */
  constructor(emit: (push: Push) => void, own: () => Registry) {
    this.#emit = emit;
    this.#own = own;
  }

  async open(): Promise<void> {}

  async acquire(): Promise<void> {}

  publish(_session: Session, push: Push): void {
    this.#emit(push);
  }

  async settled(): Promise<void> {}

  list(): WireListItem[] {
    return this.#own().own;
  }

  get(typed: string): WireListItem | undefined {
    return this.#own().find(typed)?.shown;
  }

  pairing(numero: string): WirePairing | undefined {
    return this.#own().find(numero)?.pairing;
  }

  refusal(numero: string): SessionRefused {
    return new SessionRefused('unknown', numero);
  }

  async linked(hash: string): Promise<string | undefined> {
    // Few sessions have a link, and guessed tokens must not cause reads of all sessions from the store.
    const linked = this.list().filter(({ link }) => link !== undefined);
    return linked.find(({ numero }) => this.#own().find(numero)?.record.hasLink(hash))?.numero;
  }

  async linkOpened(numero: string): Promise<void> {
    await this.#own().find(numero)?.record.linkOpened();
  }

  drain(): void {}

  async close(): Promise<void> {}
}
