import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { STATES, type WireListItem, type WireSession } from '../../../src/wire.ts';
import type { ClusterFigures } from '../metrics.ts';
import type { SessionManager } from '../sessions/session-manager.ts';
import { reasonOf } from '../store/disk.ts';
import type { Membership } from '../store/postgres/membership.ts';
import type { PostgresStore } from '../store/postgres/postgres-store.ts';
import { hasRoomForAll, hasSurplus, isUneven, roomOf, unassigned, type View } from './balance.ts';
import { type Claimed, claim, count, findLost, free, freeStrays, isFree, markHomeless } from './claims.ts';
import type { Member } from './member.ts';
import type { Mirror } from './mirror.ts';
import type { Publisher } from './publisher.ts';

/** Milliseconds until the next look at a session that cannot be freed or was not taken yet. */
const LOOK = 100;
/** Longest wait for another gateway to take a freed session, in milliseconds. */
const PATIENCE = 5_000;
/** Leases without a move after which shares are evened out. */
const CALM = 2;

export interface BalancerParts {
  readonly member: Member;
  readonly mirror: Mirror;
  readonly manager: SessionManager;
  readonly store: PostgresStore;
  readonly publisher: Publisher;
  /** Releases a session that another process owns. */
  readonly abandon: (numero: string) => Promise<void>;
}

/** Keeps this gateway at its share: takes sessions that nobody carries, and hands others over, one at a time. */
export class Balancer {
  readonly #parts: BalancerParts;
  readonly #lease: number;
  readonly #log: Logger;
  /** Whether this process may own sessions that it does not carry, because a statement's outcome is unknown. */
  #hasStrays = false;
  /**
   * Statements under way that take sessions, or one that frees strays: never both, since a session that is being taken
   * looks like a stray.
   */
  #taking = 0;
  #freeing: Promise<void> | undefined;
  #claiming: Promise<void> | undefined;
  #lastMove = performance.now();
  readonly #moves = { taken: 0, given: 0 };
  #balancing: Promise<void> | undefined;
  #isDue = false;
  #stopped = false;

  /** @param lease in seconds */
  constructor(parts: BalancerParts, lease: number, log: Logger) {
    this.#parts = parts;
    this.#lease = lease;
    this.#log = log;
  }

  /** What is known of the cluster; undefined before this process has joined it. */
  get view(): View | undefined {
    const { member, mirror, manager } = this.#parts;
    if (member.id === undefined) return undefined;
    return { nodes: member.nodes, me: member.id, total: mirror.size, mine: manager.size };
  }

  /** What the metrics show of the cluster. */
  get figures(): ClusterFigures {
    const { leaseAge, waiting } = this.#parts.member;
    const { view } = this;
    return {
      lease: this.#lease,
      leaseAge: leaseAge / 1_000,
      nodes: view?.nodes.length ?? 0,
      unassigned: view ? unassigned(view) : 0,
      moves: this.#moves,
      waiting,
    };
  }

  /** Resolves when free sessions were taken; undefined unless this is under way. */
  get claiming(): Promise<void> | undefined {
    return this.#claiming;
  }

  /** How many sessions this process carries or is about to carry, except those of {@link claiming}. */
  get carried(): number {
    return this.#parts.store.sessions().length + this.#taking;
  }

  /** Takes and hands over sessions until the shares are right; only one run at a time. */
  balance(): void {
    this.#isDue = true;
    this.#balancing ??= this.#balanceAll().finally(() => {
      this.#balancing = undefined;
    });
  }

  /** Frees sessions that this process owns but does not carry. */
  suspectStrays(): void {
    this.#hasStrays = true;
  }

  /**
   * Makes sessions this process's own. Resolves with whether there were any. Rejects with PostgreSQL's error.
   *
   * @param own writes that this process owns them
   */
  async take(own: () => Promise<readonly Claimed[]>): Promise<boolean> {
    const { store, publisher } = this.#parts;
    this.#taking += 1;
    try {
      await this.#freeing?.catch(() => {});
      const claimed = await own();
      await store.take(claimed.map(({ session: { numero }, leaving }) => ({ numero, leaving })));
      for (const { session, row } of claimed) publisher.take(session.numero, row);
      return claimed.length > 0;
    } catch (error) {
      this.#hasStrays = true;
      throw error;
    } finally {
      this.#taking -= 1;
    }
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#balancing;
  }

  /** Stops taking and handing over sessions. Resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#balancing;
  }

  async #balanceAll(): Promise<void> {
    while (this.#isDue && !this.#stopped) {
      this.#isDue = false;
      const { membership } = this.#parts.member;
      if (!membership) return;
      try {
        await this.#freeStrays(membership);
        await this.#letLostGo(membership);
        await this.#claim(membership);
        await this.#give(membership);
        if (this.view && !hasRoomForAll(this.view)) await markHomeless(membership);
      } catch (error) {
        this.#hasStrays = true;
        this.#log.warn({ reason: reasonOf(error) }, 'Sessions could not be taken or given: trying again.');
      }
    }
  }

  async #freeStrays(membership: Membership): Promise<void> {
    if (!this.#hasStrays || this.#taking > 0) return;
    this.#hasStrays = false;
    const carried = this.#parts.store.sessions().map(({ numero }) => numero);
    this.#freeing = freeStrays(membership, carried).finally(() => {
      this.#freeing = undefined;
    });
    await this.#freeing;
  }

  /** Releases sessions whose row names no owner or another process, because somebody changed the table by hand. */
  async #letLostGo(membership: Membership): Promise<void> {
    const before = this.#staying;
    if (before.length === 0) return;
    const lost = await findLost(
      membership,
      before.map(({ numero }) => numero),
    );
    // A session that was deleted or restarted meanwhile is another object, and may be another row.
    for (const session of this.#staying) {
      if (lost.includes(session.numero) && before.includes(session))
        await this.#parts.abandon(session.numero);
    }
  }

  /** The sessions that are not being deleted. */
  get #staying(): WireSession[] {
    return this.#parts.manager.list().filter(({ state }) => state !== STATES.closing);
  }

  async #claim(membership: Membership): Promise<void> {
    const total = await count(membership);
    const room = this.view ? roomOf({ ...this.view, total, mine: this.carried }) : 0;
    if (room === 0) return;
    let claimed: readonly Claimed[] = [];
    const taking = this.take(async () => {
      claimed = await claim(membership, room);
      return claimed;
    });
    const settled = () => {
      this.#claiming = undefined;
    };
    this.#claiming = taking.then(settled, settled);
    await taking;
    if (claimed.length === 0) return;
    this.#lastMove = performance.now();
    const { manager } = this.#parts;
    await this.#adopt(claimed.map(({ session }) => session));
    this.#moves.taken += claimed.length;
    this.#log.info({ sessions: claimed.length, carried: manager.size }, 'Sessions taken');
    // There may be more.
    this.#isDue = true;
  }

  /** A session that cannot be taken over does not hold up the others. */
  async #adopt(sessions: readonly WireListItem[]): Promise<void> {
    const { manager, publisher, store } = this.#parts;
    try {
      await manager.adopt(sessions);
    } catch (error) {
      const missing = sessions.filter(({ numero }) => !manager.has(numero));
      if (sessions.length > 1) {
        for (const session of missing) await this.#adopt([session]);
        return;
      }
      for (const { numero } of missing) {
        this.#log.error({ numero, reason: reasonOf(error) }, 'A session could not be taken over.');
        publisher.drop(numero);
        store.drop(numero);
      }
    }
  }

  async #give(membership: Membership): Promise<void> {
    const { manager } = this.#parts;
    while (this.#isMember(membership) && !this.#stopped && this.#isSurplus()) {
      const [numero] = manager.idle;
      if (numero === undefined) return;
      this.#lastMove = performance.now();
      if (await manager.release(numero, () => this.#free(membership, numero))) {
        this.#moves.given += 1;
        this.#log.info({ numero, carried: manager.size }, 'Session given to another gateway');
        await taken(membership, numero);
      }
    }
  }

  #isMember({ id }: Membership): boolean {
    return this.#parts.member.membership?.id === id;
  }

  #isSurplus(): boolean {
    const { view } = this;
    if (!view) return false;
    if (hasSurplus(view)) return true;
    return performance.now() - this.#lastMove > CALM * this.#lease * 1_000 && isUneven(view);
  }

  /** Repeats until the session is free, or no longer belongs to this process for another reason. */
  async #free(membership: Membership, numero: string): Promise<void> {
    const { store, publisher } = this.#parts;
    await publisher.written();
    publisher.drop(numero);
    store.drop(numero);
    while (this.#isMember(membership)) {
      try {
        await free(membership, numero);
        return;
      } catch {
        await wait(LOOK);
      }
    }
  }
}

async function taken({ sql }: Membership, numero: string): Promise<void> {
  const deadline = performance.now() + PATIENCE;
  while (performance.now() < deadline && (await isFree(sql, numero))) await wait(LOOK);
}
