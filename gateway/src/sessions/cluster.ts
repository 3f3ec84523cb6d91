import type { WireListItem, WirePairing } from '../../../src/wire.ts';
import type { SessionRefused } from './errors.ts';
import type { Session } from './session.ts';
import type { Push } from './transitions.ts';

/** The gateways that share the sessions: how a session becomes this process's, and how its pushes reach every panel. */
export interface Cluster {
  /** Whether this process may act for its sessions. */
  readonly isReady: boolean;
  /** Opens what the gateways share; called before the engine is restored. */
  open(): Promise<void>;
  /** Makes a new session this process's own. Rejects with a `SessionRefused` if that is not possible. */
  acquire(session: Session): Promise<void>;
  /** Publishes what happened to a session of this process to the panels of every gateway. */
  publish(session: Session, push: Push): void;
  /** Resolves once everything published so far has reached this gateway's panels, or after a timeout. */
  settled(): Promise<void>;
  /** The sessions of all gateways, as the panels have them. */
  list(): WireListItem[];
  /** Returns the session in any form of its number. */
  get(typed: string): WireListItem | undefined;
  pairing(numero: string): WirePairing | undefined;
  /** Returns why a request for a session that this process does not own is refused. */
  refusal(numero: string): SessionRefused;
  /** Returns the numero of the session whose link has a token with this hash. */
  linked(hash: string): Promise<string | undefined>;
  /** Tells the process that owns the session that its link was opened. */
  linkOpened(numero: string): Promise<void>;
  /** Takes no more sessions. */
  drain(): void;
  /** Lets the others take the sessions over, and ends. Called before the engine is closed. */
  close(): Promise<void>;
}
