import type { WirePairing } from '../../../src/wire.ts';
import type { LinkEnd, WireLinkView } from '../../link-page/wire.ts';

/** What the page behind a link shows of its session. */
export type LinkView = Omit<WireLinkView, 'now'>;

/** Hears of the sessions that have a link. */
export interface LinkWatcher {
  /** What a link shows may have changed. */
  changed(numero: string): void;
  /** The link of a session is over. */
  ended(numero: string, reason: LinkEnd): void;
}

/** What the pages behind links need of the sessions. */
export interface LinkedSessions {
  /** Returns the session whose link has this token. Rejects if the store cannot tell. */
  check(token: string): Promise<{ numero: string } | undefined>;

  /** Notes that the link of a session was opened. */
  opened(numero: string): Promise<void>;

  /** Returns what the link of a session shows; undefined while it has none. */
  view(numero: string): LinkView | undefined;

  /** Returns a code to type on the phone, as `Engine.pair` does. */
  pair(numero: string): Promise<WirePairing>;

  /** Starts a session, which then has a new code to scan. */
  start(numero: string): Promise<unknown>;

  /** Tells each change from now on. */
  watch(watcher: LinkWatcher): void;
}
