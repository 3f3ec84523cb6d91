import { LRUCache } from 'lru-cache';
import type { SentLink } from '../sessions/links.ts';
import type { Registry } from '../sessions/registry.ts';

/** How many links are remembered. */
const MOST = 10_000;

/** Links in notifications, for sessions of this gateway. All channels tell the same one: a new link ends the one before. */
export class NotifiedLinks {
  readonly #sessions: Pick<Registry, 'get' | 'createLink'>;
  /** The last offers, by numero. */
  readonly #offers = new LRUCache<string, Promise<SentLink | undefined>>({ max: MOST });

  constructor(sessions: Pick<Registry, 'get' | 'createLink'>) {
    this.#sessions = sessions;
  }

  /**
   * Returns a link, which lives that long if it is new; undefined if an operator has sent one. Rejects as the registry does.
   *
   * @param lifetime in milliseconds
   */
  offer(numero: string, lifetime: number): Promise<SentLink | undefined> {
    const before = this.#offers.get(numero)?.catch(() => undefined);
    const offer = this.#after(before, numero, lifetime);
    this.#offers.set(numero, offer);
    return offer;
  }

  async #after(before: Promise<SentLink | undefined> | undefined, numero: string, lifetime: number) {
    const sent = await before;
    const valid = this.#sessions.get(numero)?.link;
    if (!valid) return this.#sessions.createLink(numero, undefined, lifetime);
    return sent?.id === valid.id ? sent : undefined;
  }
}
