import { STATES, type WireLink, type WireListItem, type WirePairing } from '../../../src/wire.ts';
import type { LinkEnd } from '../../link-page/wire.ts';
import type { LinkedSessions, LinkView, LinkWatcher } from './linked-sessions.ts';
import { tokenHash } from './links.ts';
import type { Registry } from './registry.ts';
import type { Push } from './transitions.ts';

/** Milliseconds by which clocks may differ, so that a link's end is reported early. */
const MARGIN = 1_000;

type Known = Pick<Registry, 'get' | 'linked' | 'linkOpened' | 'pairing' | 'pair' | 'start'>;

/** The data for the pages behind links, from the sessions of this gateway or of all. */
export class SessionLinks implements LinkedSessions {
  readonly #sessions: Known;
  readonly #watchers: LinkWatcher[] = [];
  /** The last known links whose token has been used, by numero. */
  readonly #links = new Map<string, WireLink>();

  constructor(sessions: Known) {
    this.#sessions = sessions;
  }

  async check(token: string): Promise<{ numero: string } | undefined> {
    const numero = await this.#sessions.linked(tokenHash(token));
    const link = numero === undefined ? undefined : this.#sessions.get(numero)?.link;
    // Its end may be about to be reported.
    if (numero === undefined || !link || link.expires <= Date.now()) return undefined;
    this.#links.set(numero, link);
    return { numero };
  }

  opened(numero: string): Promise<void> {
    return this.#sessions.linkOpened(numero);
  }

  view(numero: string): LinkView | undefined {
    const session = this.#sessions.get(numero);
    if (!session?.link) return undefined;
    const { name, label, state, qrCode, waiting, reason, link } = session;
    const called = label ?? name;
    const pairing = this.#sessions.pairing(numero);
    return {
      numero,
      ...(called !== undefined && { name: called }),
      state,
      ...(qrCode !== undefined && { qrCode }),
      waiting,
      ...(reason && { reason }),
      ...(pairing && { pairing }),
      expires: link.expires,
    };
  }

  pair(numero: string): Promise<WirePairing> {
    return this.#sessions.pair(numero);
  }

  start(numero: string): Promise<unknown> {
    return this.#sessions.start(numero);
  }

  watch(watcher: LinkWatcher): void {
    this.#watchers.push(watcher);
  }

  /** Receives a push to the panels, once it has taken effect. */
  heard({ numero }: Push): void {
    const link = this.#links.get(numero);
    if (!link) return;
    const end = endOf(link, this.#sessions.get(numero));
    if (end === undefined) {
      for (const watcher of this.#watchers) watcher.changed(numero);
      return;
    }
    this.#links.delete(numero);
    for (const watcher of this.#watchers) watcher.ended(numero, end);
  }
}

/** Returns why a link has ended; undefined if it is still valid. */
function endOf({ expires }: WireLink, session: WireListItem | undefined): LinkEnd | undefined {
  if (!session) return 'deleted';
  if (session.link) return session.link.expires === expires ? undefined : 'replaced';
  if (session.state === STATES.connected) return 'linked';
  return expires <= Date.now() + MARGIN ? 'expired' : 'revoked';
}
