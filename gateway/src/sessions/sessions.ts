import type {
  WireDetails,
  WireHistoryEntry,
  WireListItem,
  WireNaming,
  WirePairing,
} from '../../../src/wire.ts';
import type { SentLink } from './links.ts';

/** What the calls of the contract and of its extensions need (docs/contract.md). */
export interface Sessions {
  /** Lists the sessions that exist already. */
  restore(): Promise<void>;
  /** Whether sessions can be started and messages sent. */
  readonly isReady: boolean;
  /** Returns the current sessions. */
  list(): WireListItem[];
  /** Returns the session that is listed under a numero. */
  get(numero: string): WireListItem | undefined;
  /**
   * Starts or restarts a session. Resolves, when the engine has begun, with the numero under which it is listed: that
   * of the existing session, or else the canonical one. Rejects with `deleted` if a delete overruled it, with `draining`
   * after `drain`, with `moving` while another gateway takes the session over, or with the engine's own error.
   */
  start(typed: string): Promise<string>;
  /**
   * Unlinks a session and removes it from the list. Rejects with `unknown` if it is not listed, with `moving`, or with
   * the engine's own error; the session is then shown as before.
   */
  delete(typed: string): Promise<void>;
  /**
   * Sends a text to each number, and returns an id for the acks that are pushed. Tries all of them; rejects with a
   * `SendFailure` that names those that failed, or before sending with `unknown`, `not-connected`, `moving` or, after
   * `drain`, `draining`.
   */
  send(typed: string, contacts: readonly number[], text: string): Promise<string>;
  /**
   * Changes the operators' names of a session, and returns its details. Rejects with `unknown`, `moving` or a
   * `StoreError`, like all methods below.
   */
  describe(typed: string, naming: WireNaming): Promise<WireDetails>;
  /** Returns entries of a session's history, the newest first. @param before only older ones, in milliseconds since 1970 */
  history(typed: string, limit: number, before?: number): Promise<WireHistoryEntry[]>;
  /** Unlinks a session, which stays on the list. Rejects with `not-linked` as well. */
  unlink(typed: string): Promise<void>;
  /** Returns a code to type on the phone. Rejects with `not-pairable` or `no-pairing-code` as well. */
  pair(typed: string): Promise<WirePairing>;
  /** Creates a link for the person with the phone, which ends an earlier one. Rejects with `connected` as well. */
  createLink(typed: string): Promise<SentLink>;
  /** Ends the session's link, if one is valid. */
  revokeLink(typed: string): Promise<void>;
  /** Records that the session's link was opened. */
  linkOpened(numero: string): Promise<void>;
  /** Returns the numero of the session whose link has a token with this hash. */
  linked(hash: string): Promise<string | undefined>;
  /** The code to type on the session's phone, while there is one. */
  pairing(numero: string): WirePairing | undefined;
  /** Refuses new starts and messages from now on. Resolves when those under way, and deletions, have settled. */
  drain(): Promise<void>;
  /** Closes the engine, once. */
  close(): Promise<void>;
}
