import { randomUUID } from 'node:crypto';
import type { Cipher } from '../ledger/cipher.ts';
import type { Sql } from '../ledger/database.ts';
import { addNode, beat, deleteNode, type NodeInfo, type NodeRow } from '../ledger/node-rows.ts';
import { sealNotice } from './notices.ts';

/** A node, as another one knows it. */
export interface KnownNode extends NodeRow {
  /** Whether it has missed a beat: its figures may be out of date, and it is given no sessions. */
  readonly isSilent: boolean;
}

/** Beats in a lease. */
const BEATS = 3;
/** Intervals without a beat after which a node counts as silent. Nodes do not beat together: one interval says nothing. */
const SILENT_AFTER = 1.5;
/**
 * A node releases its sessions this long before its lease ends, and others wait this long after it, in milliseconds.
 */
const MARGIN = 1_000;
/** How early timers may fire, in milliseconds. */
const ROUNDING = 2;
/** Wait before another attempt after a failed beat, in milliseconds. */
const RETRY = 500;

interface NodeHandlers {
  sessions(): number;
  cipher(): Cipher;
  /** Called after each beat with all nodes, this one included. */
  beaten(nodes: readonly KnownNode[]): void;
  /** The lease is over, or others have declared this process dead: it has to release everything now. Called once. */
  lost(): void;
}

/**
 * A process as a member of the cluster, until its lease is over or it leaves. It beats, on a connection of its own, and
 * deletes those that do not. As in Kubernetes' leader election, clocks of different processes are never compared: each
 * process releases its sessions by its own monotonic clock before any other may take over by its clock.
 */
export class Node {
  readonly id = randomUUID();
  readonly #sql: Sql;
  readonly #info: NodeInfo;
  readonly #handlers: NodeHandlers;
  /** When each other node was first seen with its number of beats. */
  readonly #seen = new Map<string, { readonly beats: string; readonly since: number }>();
  /** When the last good beat began. */
  #extended = Number.NEGATIVE_INFINITY;
  #expiry: NodeJS.Timeout | undefined;
  #next: NodeJS.Timeout | undefined;
  #left = false;

  /** @param sql a connection for the beats alone */
  constructor(sql: Sql, info: NodeInfo, handlers: NodeHandlers) {
    this.#sql = sql;
    this.#info = info;
    this.#handlers = handlers;
  }

  /** Whether this process may act for its sessions. */
  get isValid(): boolean {
    return !this.#left && this.leaseAge < this.#term;
  }

  /** Milliseconds since the last good beat began. */
  get leaseAge(): number {
    return performance.now() - this.#extended;
  }

  get #term(): number {
    return this.#info.lease * 1_000 - MARGIN;
  }

  /** Registers the process. Rejects with PostgreSQL's error. */
  async join(): Promise<void> {
    const begun = performance.now();
    await addNode(this.#sql, this.id, this.#info);
    this.#extend(begun);
  }

  /** Beats once, and from now on regularly. */
  async beat(): Promise<void> {
    clearTimeout(this.#next);
    const begun = performance.now();
    let wait = intervalOf(this.#info);
    try {
      const nodes = await beat(this.#sql, this.id, this.#handlers.sessions());
      if (this.#left) return;
      if (!nodes.some(({ id }) => id === this.id)) {
        this.#lose();
        return;
      }
      this.#extend(begun);
      // Not only at the following beat: that would leave the sessions of a dead node without a gateway for longer.
      wait = Math.min(wait, await this.#expireDead(nodes, begun));
      if (this.#left) return;
      this.#handlers.beaten(nodes.map((node) => ({ ...node, isSilent: this.#isSilent(node) })));
    } catch {
      // The lease limits how long beats may fail.
      wait = RETRY;
    }
    if (this.#left) return;
    // Another beat may have been due meanwhile.
    clearTimeout(this.#next);
    this.#next = setTimeout(() => void this.beat(), Math.max(0, wait - (performance.now() - begun)));
  }

  /** Leaves the cluster: others may take the sessions over at once. Rejects with PostgreSQL's error. */
  async leave(): Promise<void> {
    if (this.#left) return;
    this.abandon();
    await this.free(this.id);
  }

  /** Ends silently, like a process that dies. */
  abandon(): void {
    this.#left = true;
    clearTimeout(this.#expiry);
    clearTimeout(this.#next);
  }

  #extend(begun: number): void {
    this.#extended = begun;
    clearTimeout(this.#expiry);
    this.#expiry = setTimeout(() => this.#lose(), this.#term - this.leaseAge);
  }

  #lose(): void {
    if (this.#left) return;
    this.abandon();
    this.#handlers.lost();
  }

  /**
   * Returns in how many milliseconds from `begun` on the next node may count as dead.
   *
   * @param begun when the observation began
   */
  async #expireDead(nodes: readonly NodeRow[], begun: number): Promise<number> {
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    for (const id of this.#seen.keys()) {
      if (!nodes.some((node) => node.id === id)) this.#seen.delete(id);
    }
    for (const { id, beats, lease } of nodes) {
      if (id === this.id) continue;
      const seen = this.#seen.get(id);
      if (seen?.beats !== beats) {
        this.#seen.set(id, { beats, since: now });
        continue;
      }
      const left = seen.since + lease * 1_000 + MARGIN - begun;
      if (left < 0) await this.free(id, beats);
      else next = Math.min(next, left + ROUNDING);
    }
    return next;
  }

  #isSilent({ id, lease }: NodeRow): boolean {
    const seen = this.#seen.get(id);
    return seen !== undefined && performance.now() - seen.since > SILENT_AFTER * intervalOf({ lease });
  }

  /** Deletes a node and frees its sessions; with `beats`, unless it has beaten since. */
  async free(id: string, beats?: string): Promise<void> {
    const cipher = this.#handlers.cipher();
    const types = ['free', 'nodes', 'rows'] as const;
    const notices = types.map((type) => sealNotice(cipher, { type }));
    await deleteNode(this.#sql, id, notices.join(' '), beats);
  }
}

/** Milliseconds from one beat to the next. */
function intervalOf({ lease }: Pick<NodeInfo, 'lease'>): number {
  return (lease * 1_000) / BEATS;
}
