import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { STATES, type WireListItem } from '../../../src/wire.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { reasonOf } from '../ledger/operations.ts';
import {
  type Census,
  type ClaimedRow,
  claim,
  create,
  isUnassigned,
  type Membership,
  markUnassigned,
  release,
  takeCensus,
  UNASSIGNED,
} from '../ledger/session-rows.ts';
import type { ClusterFigures } from '../metrics.ts';
import { numeroKey } from '../numbers.ts';
import type { Registry } from '../sessions/registry.ts';
import type { Session } from '../sessions/session.ts';
import { hasRoomForAll, hasSurplus, isUneven, roomOf, type View } from './balance.ts';
import type { Member } from './member.ts';
import { sealNotice } from './notices.ts';
import { type SessionCache, sessionOf } from './session-cache.ts';
import type { Writer } from './writer.ts';

/** Milliseconds until the next look at a session that cannot be freed or was not taken yet. */
const LOOK = 100;
/** Longest wait for another gateway to take a freed session, in milliseconds. */
const PATIENCE = 5_000;
/** Leases without a move after which shares are evened out. */
const CALM = 2;

interface PlacementParts {
  readonly member: Member;
  readonly cache: SessionCache;
  readonly registry: () => Registry;
  readonly ledger: Ledger;
  readonly writer: Writer;
  /** Releases a session that another process owns. */
  readonly abandon: (numero: string) => Promise<void>;
}

/** Keeps this gateway at its share: takes unassigned sessions, and hands others over, one at a time. */
export class Placement {
  readonly #parts: PlacementParts;
  readonly #lease: number;
  readonly #log: Logger;
  /** Sessions that are being created: their rows may exist already. By the numero's key. */
  readonly #creating = new Map<string, string>();
  #claiming: Promise<unknown> | undefined;
  /** How many sessions nobody owned at the last census. */
  #unassigned = 0;
  #lastMove = performance.now();
  #placing: Promise<void> | undefined;
  #isDue = false;
  #isStopped = false;

  /** @param lease in seconds */
  constructor(parts: PlacementParts, lease: number, log: Logger) {
    this.#parts = parts;
    this.#lease = lease;
    this.#log = log;
  }

  /** What is known of the cluster; undefined before this process has joined it. */
  get view(): View | undefined {
    const { member, cache, registry } = this.#parts;
    if (member.id === undefined) return undefined;
    return { nodes: member.nodes, me: member.id, total: cache.size, mine: registry().size };
  }

  get figures(): ClusterFigures {
    return {
      lease: this.#lease,
      leaseAge: this.#parts.member.leaseAge / 1_000,
      nodes: this.view?.nodes.length ?? 0,
      unassigned: this.#unassigned,
    };
  }

  /** How many sessions this process owns or creates, those that are being deleted included. */
  get #owned(): number {
    const owned = this.#parts.ledger.sessions().map(({ numero }) => numero);
    return new Set([...owned, ...this.#creating.values()]).size;
  }

  /** Takes and hands over sessions until the shares are right; only one run at a time. */
  place(): void {
    this.#isDue = true;
    this.#placing ??= this.#placeAll().finally(() => {
      this.#placing = undefined;
    });
  }

  /**
   * Creates a session for this process, unless another one has it, or this one has no room. Rejects with PostgreSQL's
   * error.
   *
   * @param most sessions of this process
   */
  async create(
    membership: Membership,
    { numero, key }: Session,
    most: number,
  ): Promise<'created' | 'exists' | 'full'> {
    // It may take all the room there is.
    while (this.#claiming) await this.#claiming;
    if (this.#owned >= most) return 'full';
    this.#creating.set(key, numero);
    try {
      const rows = await create(membership, numero);
      await this.#own(rows);
      return rows.length > 0 ? 'created' : 'exists';
    } finally {
      this.#creating.delete(key);
    }
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#placing;
  }

  /** Stops taking and handing over sessions. Resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#placing;
  }

  async #placeAll(): Promise<void> {
    while (this.#isDue && !this.#isStopped) {
      this.#isDue = false;
      const { membership } = this.#parts.member;
      if (!membership) return;
      try {
        await this.#reconcile(membership);
        await this.#give(membership);
        if (this.view && !hasRoomForAll(this.view)) {
          await markUnassigned(membership, sealNotice(membership.cipher, { type: 'rows' }));
        }
      } catch (error) {
        this.#log.warn({ reason: reasonOf(error) }, 'Sessions could not be taken or given: trying again.');
      }
    }
  }

  /** Reconciles the sessions of this process with those that it owns in the database, and takes more. */
  async #reconcile(membership: Membership): Promise<void> {
    const before = this.#rows();
    const creating = new Set(this.#creating.keys());
    const census = await takeCensus(membership);
    this.#unassigned = census.unassigned;
    await this.#abandonLost(census, before);
    const owned = new Set(this.#parts.ledger.sessions().map(({ numero }) => numeroKey(numero)));
    const orphans = Object.keys(census.owned).filter(
      (key) => !owned.has(key) && !creating.has(key) && !this.#creating.has(key),
    );
    const room = this.view ? roomOf({ ...this.view, total: census.total, mine: this.#owned }) : 0;
    if (orphans.length === 0 && (room === 0 || census.unassigned === 0)) return;
    await this.#claim(membership, room, orphans);
  }

  /** The rows of the listed sessions that are not being deleted. */
  #rows(): Map<Session, string | undefined> {
    const { registry, writer } = this.#parts;
    const staying = registry().all.filter(({ shown }) => shown && shown.state !== STATES.closing);
    return new Map(staying.map((session) => [session, writer.row(session.numero)?.epoch]));
  }

  /** Releases sessions whose row has another owner or none, because somebody changed the table by hand. */
  async #abandonLost({ owned }: Census, before: ReadonlyMap<Session, string | undefined>): Promise<void> {
    const now = this.#rows();
    for (const [session, epoch] of before) {
      // A session that was deleted or restarted meanwhile may have another row.
      const isSame = now.has(session) && now.get(session) === epoch;
      if (isSame && owned[session.key] !== epoch) await this.#parts.abandon(session.numero);
    }
  }

  async #claim(membership: Membership, room: number, orphans: readonly string[]): Promise<void> {
    const claiming = this.#claimAll(membership, room, orphans);
    const settled = () => {
      this.#claiming = undefined;
    };
    this.#claiming = claiming.then(settled, settled);
    await claiming;
  }

  async #claimAll(membership: Membership, room: number, orphans: readonly string[]): Promise<void> {
    const claimed = await claim(membership, room, orphans);
    await this.#own(claimed);
    if (claimed.length === 0) return;
    this.#lastMove = performance.now();
    await this.#adopt(claimed.map(beforeOf));
    this.#log.info({ sessions: claimed.length, owned: this.#parts.registry().size }, 'Sessions taken');
    // There may be more.
    this.#isDue = true;
  }

  async #own(rows: readonly ClaimedRow[]): Promise<void> {
    const { ledger, writer } = this.#parts;
    await ledger.take(rows);
    for (const { numero, leaving, epoch, place, version } of rows) {
      // Nothing is published of a session whose deletion another process began.
      if (leaving) continue;
      writer.take(numero, { epoch, place: Number(place), version: Number(version) });
    }
  }

  /** A session that cannot be taken over does not hold up the others. */
  async #adopt(sessions: readonly WireListItem[]): Promise<void> {
    const { registry, writer, ledger } = this.#parts;
    try {
      await registry().adopt(sessions);
    } catch (error) {
      const missing = sessions.filter(({ numero }) => !registry().find(numero));
      if (sessions.length > 1) {
        for (const session of missing) await this.#adopt([session]);
        return;
      }
      for (const { numero } of missing) {
        this.#log.error({ numero, reason: reasonOf(error) }, 'A session could not be taken over.');
        writer.drop(numero);
        ledger.drop(numero);
      }
    }
  }

  async #give(membership: Membership): Promise<void> {
    const { registry } = this.#parts;
    while (this.#isMember(membership) && !this.#isStopped && this.#isSurplus()) {
      const [session] = registry().idle;
      if (!session) return;
      const { numero } = session;
      this.#lastMove = performance.now();
      if (await registry().release(session, () => this.#release(membership, session))) {
        this.#log.info({ numero, owned: registry().size }, 'Session given to another gateway');
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

  /** Repeats until nobody owns the session, or this process no longer does for another reason. */
  async #release(membership: Membership, { numero }: Session): Promise<void> {
    const { ledger, writer } = this.#parts;
    await writer.written();
    const row = writer.row(numero);
    writer.drop(numero);
    ledger.drop(numero);
    const { cipher } = membership;
    const notices = [sealNotice(cipher, { type: 'free' }), sealNotice(cipher, { type: 'rows', numero })];
    while (row && this.#isMember(membership)) {
      try {
        await release(membership, numero, row.epoch, notices.join(' '));
        return;
      } catch {
        await wait(LOOK);
      }
    }
  }
}

/** Returns a claimed session as its last process left it. */
function beforeOf(row: ClaimedRow): WireListItem {
  const session = sessionOf(row);
  return session.state === UNASSIGNED ? { ...session, state: STATES.connected } : session;
}

async function taken({ sql }: Membership, numero: string): Promise<void> {
  const deadline = performance.now() + PATIENCE;
  while (performance.now() < deadline && (await isUnassigned(sql, numero))) await wait(LOOK);
}
