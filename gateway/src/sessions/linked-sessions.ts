import type { WirePairing } from '../../../src/wire.ts';
import type { LinkEnd, WireLinkView } from '../../link-page/wire.ts';

/** What the page behind a link shows about its session. */
export type LinkView = Omit<WireLinkView, 'now'>;

/** Observes the sessions that have a link. */
export interface LinkWatcher {
  /** The page behind a link may have to change. */
  changed(numero: string): void;
  /** The link of a session has ended. */
  ended(numero: string, reason: LinkEnd): void;
}

/** The parts of the sessions that the pages behind links need. */
export interface LinkedSessions {
  /** Returns the session whose link has this token. Rejects if the store cannot be read. */
  check(token: string): Promise<{ numero: string } | undefined>;

  /** Records that the link of a session was opened. */
  opened(numero: string): Promise<void>;

  /** Returns what the page behind a session's link shows; undefined without a link. */
  view(numero: string): LinkView | undefined;

  /** Returns a code to type on the phone, as `Engine.pair` does. */
  pair(numero: string): Promise<WirePairing>;

  /** Starts a session, which then has a new code to scan. */
  start(numero: string): Promise<unknown>;

  /** Reports each change from now on. */
  watch(watcher: LinkWatcher): void;
}
