import { EventEmitter } from 'node:events';
import { LRUCache } from 'lru-cache';
import { STATES, type WireLink, type WireListItem } from '../../../src/wire.ts';
import { END_SENTENCES } from '../../link-page/sentences.ts';
import type { LinkEnd, WireLinkView } from '../../link-page/wire.ts';
import { linkId, tokenHash } from '../sessions/links.ts';
import type { Registry } from '../sessions/registry.ts';
import { type Denial, WrongTokens } from './tokens.ts';

/** How many links are remembered, and for how long after their end, in milliseconds. */
const KNOWN = { max: 10_000, ttl: 10 * 60_000 };

/** Milliseconds by which clocks may differ, so that a link's end is reported early. */
const MARGIN = 1_000;

/** Form of a token: 128 bits in base64url. */
const TOKEN = /^[\w-]{22}$/;

/** Why the page behind a link is not admitted. */
type LinkDenial = Denial | { status: 410; message: string; over: LinkEnd };

/** The sessions of this gateway or of all, as far as the pages behind links need them. */
export type LinkedSessions = Pick<
  Registry,
  'get' | 'linked' | 'linkOpened' | 'pairing' | 'pair' | 'passkeyChallenge' | 'passkey' | 'start'
>;

/** `changed`: the page behind a session's link may have to change. `ended`: the link has ended. */
interface LinkEvents {
  changed: [numero: string];
  ended: [numero: string, reason: LinkEnd];
}

/**
 * Admits whoever has the token of a link, to its session only. Wrong tokens count like those of the gateway; after too
 * many, a client's tokens are no longer looked up.
 *
 * It remembers the links opened here. Their pages are looked up whatever others at their address do. And it knows how
 * they ended: a phone that is being linked often drops the page's connection, because WhatsApp is in the foreground,
 * and the page would return to an unknown link.
 */
export class LinkDoor extends EventEmitter<LinkEvents> {
  readonly sessions: LinkedSessions;
  readonly #wrong = new WrongTokens(
    'Este enlace no sirve: ya se usó, venció o se anuló. Pide otro a quien te lo envió.',
    'Demasiados intentos con enlaces que no sirven',
  );
  /** The links that were opened here, and how they ended, by the hash of the token. */
  readonly #known = new LRUCache<string, { numero: string; over?: LinkEnd }>(KNOWN);
  /** The last known links whose token has been used, by numero. */
  readonly #open = new Map<string, WireLink>();

  constructor(sessions: LinkedSessions) {
    super();
    this.sessions = sessions;
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
    const numero = await this.sessions.linked(hash);
    const link = numero === undefined ? undefined : this.sessions.get(numero)?.link;
    // Its end may be about to be reported.
    if (numero !== undefined && link?.id === linkId(hash) && link.expires > Date.now()) {
      this.#open.set(numero, link);
      this.#known.set(hash, { numero }, { ttl: link.expires - Date.now() + KNOWN.ttl });
      return numero;
    }
    const over = this.#known.get(hash)?.over;
    if (over === undefined) return this.#wrong.deny(client);
    return { status: 410, message: END_SENTENCES[over], over };
  }

  /** Returns what the page behind a session's link shows; undefined without a link. */
  view(numero: string): WireLinkView | undefined {
    const session = this.sessions.get(numero);
    if (!session?.link) return undefined;
    const { name, label = name, state, qrCode, waiting, reason, passkey, link } = session;
    const pairing = this.sessions.pairing(numero);
    return {
      numero,
      ...(label !== undefined && { name: label }),
      state,
      ...(qrCode !== undefined && { qrCode }),
      waiting,
      ...(reason && { reason }),
      ...(pairing && { pairing }),
      ...(passkey && { passkey }),
      expires: link.expires,
      now: Date.now(),
    };
  }

  /** Called when a push about a session has taken effect. */
  heard(numero: string): void {
    const link = this.#open.get(numero);
    if (!link) return;
    const over = endOf(link, this.sessions.get(numero));
    if (over === undefined) {
      this.emit('changed', numero);
      return;
    }
    this.#open.delete(numero);
    for (const [hash, known] of [...this.#known]) {
      if (known.numero === numero && !known.over) this.#known.set(hash, { numero, over });
    }
    this.emit('ended', numero, over);
  }
}

/** Returns why a link has ended; undefined if it is still valid. */
function endOf({ id, expires }: WireLink, session: WireListItem | undefined): LinkEnd | undefined {
  if (!session) return 'deleted';
  if (session.link) return session.link.id === id ? undefined : 'replaced';
  if (session.state === STATES.connected) return 'linked';
  return expires <= Date.now() + MARGIN ? 'expired' : 'revoked';
}
