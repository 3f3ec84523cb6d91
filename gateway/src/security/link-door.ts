import { LRUCache } from 'lru-cache';
import { END_SENTENCES } from '../../link-page/sentences.ts';
import type { LinkEnd } from '../../link-page/wire.ts';
import type { LinkedSessions } from '../sessions/linked-sessions.ts';
import { tokenHash } from '../sessions/links.ts';
import { type Denial, WrongTokens } from './tokens.ts';

/** How many links are remembered, and for how long, in milliseconds: as long as a link lasts. */
const KNOWN = { max: 10_000, ttl: 10 * 60_000 };

/** Form of a token: 128 bits in base64url. */
const TOKEN = /^[\w-]{22}$/;

/** Why the page behind a link is not admitted. */
export type LinkDenial = Denial | { status: 410; message: string; over: LinkEnd };

/** A link that was opened here. */
interface KnownLink {
  readonly numero: string;
  /** How it ended. */
  readonly over?: LinkEnd;
}

/**
 * Admits whoever has the token of a link, to its session only. Wrong tokens count like those of the gateway; after too
 * many, a client's tokens are no longer looked up.
 *
 * It remembers the links opened here. Their pages are looked up whatever others at their address do. And it knows how
 * they ended: a phone that is being linked often drops the page's connection, because WhatsApp is in the foreground,
 * and the page would return to an unknown link.
 */
export class LinkDoor {
  readonly #links: LinkedSessions;
  readonly #wrong = new WrongTokens(
    'Este enlace no sirve: ya se usó, venció o se anuló. Pide otro a quien te lo envió.',
    'Demasiados intentos con enlaces que no sirven',
  );
  /** By the hash of the token. */
  readonly #known = new LRUCache<string, KnownLink>(KNOWN);

  constructor(links: LinkedSessions) {
    this.#links = links;
    links.watch({
      changed: () => {},
      ended: (numero, over) => {
        for (const [hash, known] of [...this.#known]) {
          if (known.numero === numero && !known.over) this.#known.set(hash, { numero, over });
        }
      },
    });
  }

  /**
   * Returns the numero of a token's session, or why it has none. Rejects if the store cannot be read.
   *
   * @param client the address to which wrong tokens are counted
   */
  async enter(token: unknown, client: string): Promise<string | LinkDenial> {
    if (typeof token !== 'string' || !TOKEN.test(token)) return this.#wrong.deny(client);
    const hash = tokenHash(token);
    const tooMany = this.#known.has(hash) ? undefined : this.#wrong.tooMany(client);
    if (tooMany) return tooMany;
    const found = await this.#links.check(token);
    if (found) {
      this.#known.set(hash, found);
      return found.numero;
    }
    const over = this.#known.get(hash)?.over;
    if (over === undefined) return this.#wrong.deny(client);
    return { status: 410, message: END_SENTENCES[over], over };
  }
}
