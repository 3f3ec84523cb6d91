import type { Logger } from 'pino';
import type {
  WireDetails,
  WireHistoryEntry,
  WireListItem,
  WireNaming,
  WirePairing,
} from '../../../src/wire.ts';
import type { SharedFleet } from '../engines/fleet.ts';
import type { ClusterFigures } from '../metrics.ts';
import { settles } from '../sessions/drain.ts';
import type { Engine } from '../sessions/engine.ts';
import { NotOwnerError, type SessionRefusal, SessionRefused } from '../sessions/errors.ts';
import type { SentLink } from '../sessions/links.ts';
import { canonicalNumero, numeroKey } from '../sessions/numbers.ts';
import { SessionManager } from '../sessions/session-manager.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Push } from '../sessions/transitions.ts';
import { WorkQueue } from '../sessions/work-queue.ts';
import { type DiskObserver, reasonOf } from '../store/disk.ts';
import type { Membership } from '../store/postgres/membership.ts';
import { PostgresStore } from '../store/postgres/postgres-store.ts';
import { checkAdvertised } from './advertise.ts';
import { hasRoomForAll, roomiest } from './balance.ts';
import { Balancer } from './balancer.ts';
import { Caller, type Target } from './caller.ts';
import { announceRemoved, create, ownerOf } from './claims.ts';
import { Member } from './member.ts';
import { Mirror } from './mirror.ts';
import { CHANNEL, sealNotice } from './notices.ts';
import { Publisher } from './publisher.ts';

/** Longest wait for the push of written changes, and for the end of work under way, in milliseconds. */
const PATIENCE = 5_000;
/** In seconds. */
const DEFAULT_LEASE = 15;

export interface ClusterOptions {
  /** `postgres://…`; several hosts are separated by commas, and the one that accepts writes is used. */
  readonly database: string;
  /** How other gateways reach this one, as `http://host:port`. Default: the URL that it listens on. */
  readonly advertise?: string | undefined;
  /** Seconds without a beat after which other gateways take the sessions over, 5 to 300. Default 15. */
  readonly lease?: number | undefined;
  /** Most sessions that this gateway carries. Default any number. */
  readonly maxSessions?: number | undefined;
}

/** What a gateway contributes to the cluster. */
export interface ClusterParts {
  readonly fleet: SharedFleet;
  /** Returns an engine that reports everything to its observers. */
  readonly observed: (engine: Engine) => Engine;
  /** Receives the pushes for this gateway's panels. */
  readonly emit: (push: Push) => void;
  /** Receives what happens to the sessions that this gateway carries. */
  readonly observe: (push: Push) => void;
  /** Receives the duration of each operation of the store. */
  readonly onStoreTask?: DiskObserver | undefined;
}

/**
 * The sessions of all gateways on one database. This gateway carries a share of them with its own session manager. It
 * lists the sessions of others as they have written them, and forwards calls for those.
 */
export class ClusteredSessions implements Sessions {
  readonly #options: ClusterOptions;
  readonly #fleet: SharedFleet;
  readonly #manager: SessionManager;
  readonly #store: PostgresStore;
  readonly #member: Member;
  readonly #mirror: Mirror;
  readonly #publisher: Publisher;
  readonly #balancer: Balancer;
  /** Calls the other gateways. */
  readonly caller: Caller;
  readonly #log: Logger;
  /** Creations and deletions, by the numero's key. */
  readonly #queue = new WorkQueue();
  #ending = false;
  #closed: Promise<void> | undefined;

  /** @param log the operator log */
  constructor(
    options: ClusterOptions,
    { fleet, observed, emit, observe, onStoreTask }: ClusterParts,
    log: Logger,
  ) {
    const { database, lease = DEFAULT_LEASE, maxSessions } = options;
    this.#options = options;
    this.#fleet = fleet;
    this.#log = log;
    this.#mirror = new Mirror(() => this.#member.sql, emit, log);
    this.#member = new Member(
      { database, lease, capacity: maxSessions },
      this.#mirror,
      {
        sessions: () => this.#manager.size,
        changed: () => this.#balancer.balance(),
        lost: () => this.#letGo(),
        opened: (numero, expires) => {
          // Somebody may repeat the notice that an earlier link was opened.
          if (this.#manager.get(numero)?.link?.expires === expires) void this.#manager.linkOpened(numero);
        },
      },
      log,
    );
    this.caller = new Caller(this.#member);
    const membership = () => this.#member.membership;
    const lost = (numero: string) => void this.#abandon(numero);
    this.#publisher = new Publisher(membership, lost, log);
    this.#store = new PostgresStore(
      membership,
      fleet.cipher,
      (sentence) => log.error(sentence),
      lost,
      onStoreTask,
    );
    const engine = observed(fleet.sharing(this.#store));
    const archive = () => this.#store.archive;
    this.#manager = new SessionManager(engine, archive, (push, session) => {
      this.#publisher.publish(push, session);
      observe(push);
    });
    this.#balancer = new Balancer(
      {
        member: this.#member,
        mirror: this.#mirror,
        manager: this.#manager,
        store: this.#store,
        publisher: this.#publisher,
        abandon: (numero) => this.#abandon(numero),
      },
      lease,
      log,
    );
  }

  /** Opens the database. Rejects with a `DatabaseError`, or with the engine's own error. */
  async restore(): Promise<void> {
    await this.#member.open(this.#fleet);
    await this.#manager.restore();
  }

  /**
   * Joins the cluster, once this gateway listens. Rejects with a `DatabaseError`, or with an `AdvertiseError` if other
   * gateways could not reach it.
   *
   * @param url where it listens
   */
  async join(url: string): Promise<void> {
    const { advertise = url } = this.#options;
    // A gateway that joins receives sessions; if it had to end again, that would only interrupt them.
    await checkAdvertised(advertise, this.#member.process, this.caller);
    await this.#member.join(advertise);
  }

  get isReady(): boolean {
    return !this.#ending && this.#manager.isReady && this.#member.membership !== undefined;
  }

  list(): WireListItem[] {
    return this.#mirror.list();
  }

  get(numero: string): WireListItem | undefined {
    return this.#mirror.get(numero);
  }

  /** The sessions that this gateway carries. */
  get carried(): WireListItem[] {
    return this.#manager.list();
  }

  /** What the metrics show of the cluster. */
  get figures(): ClusterFigures {
    return this.#balancer.figures;
  }

  /** This process in the cluster. */
  get member(): Member {
    return this.#member;
  }

  /**
   * Returns the gateway that a call for a session has to go to; undefined for this one. Rejects with a `SessionRefused`.
   *
   * @param isStart whether the call creates the session if it does not exist
   */
  async targetOf(typed: string, isStart: boolean): Promise<Target | undefined> {
    if (this.#manager.has(typed)) return undefined;
    const { sql, id } = this.#membership(typed);
    const owner = await ownerOf(sql, typed).catch((error: unknown) => {
      throw this.#refusal(typed, error);
    });
    if (!owner) return isStart ? this.#creator(typed) : refuse('unknown', typed);
    if (owner.id === id) return undefined;
    if (owner.id === null || owner.url === null) {
      const { view } = this.#balancer;
      refuse(view && !hasRoomForAll(view) ? 'full' : 'moving', typed);
    }
    return { id: owner.id, url: owner.url };
  }

  async start(typed: string): Promise<string> {
    if (this.#ending) throw new SessionRefused('draining', typed);
    const { started } = await this.#queue.run(numeroKey(typed), async () => {
      await this.#create(typed);
      // Before a deletion that waits here could remove it.
      return { started: this.#manager.start(typed) };
    });
    const numero = await started;
    await this.#settle();
    return numero;
  }

  async delete(typed: string): Promise<void> {
    await this.#queue.run(numeroKey(typed), async () => {
      this.#refuseStray(typed);
      await this.#manager.delete(typed);
    });
    await this.#settle();
  }

  async send(typed: string, contacts: readonly number[], text: string): Promise<string> {
    this.#refuseStray(typed);
    return this.#manager.send(typed, contacts, text);
  }

  describe(typed: string, naming: WireNaming): Promise<WireDetails> {
    return this.#settled(typed, () => this.#manager.describe(typed, naming));
  }

  async history(typed: string, limit: number, before?: number): Promise<WireHistoryEntry[]> {
    this.#refuseStray(typed);
    return this.#manager.history(typed, limit, before);
  }

  unlink(typed: string): Promise<void> {
    return this.#settled(typed, () => this.#manager.unlink(typed));
  }

  pair(typed: string): Promise<WirePairing> {
    return this.#settled(typed, () => this.#manager.pair(typed));
  }

  createLink(typed: string): Promise<SentLink> {
    return this.#settled(typed, () => this.#manager.createLink(typed));
  }

  revokeLink(typed: string): Promise<void> {
    return this.#settled(typed, () => this.#manager.revokeLink(typed));
  }

  async linkOpened(numero: string): Promise<void> {
    const { sql, cipher } = this.#membership(numero);
    const { link } = this.#mirror.get(numero) ?? {};
    if (!link) return;
    const notice = sealNotice(cipher, { type: 'opened', numero, expires: link.expires });
    await sql`SELECT pg_notify(${CHANNEL}, ${notice})`;
  }

  async linked(hash: string): Promise<string | undefined> {
    // If a link cannot be looked up, that does not mean that it is over.
    this.#membership('');
    const numero = await this.#store.archive.linked(hash).catch((error: unknown) => {
      throw error instanceof NotOwnerError ? new SessionRefused('no-database', '') : error;
    });
    if (numero !== undefined && !this.#mirror.get(numero)?.link) {
      // The person with the link may arrive before the notice about it.
      this.#mirror.read(numero);
      await settles(this.#mirror.settled(), PATIENCE);
    }
    return numero;
  }

  pairing(numero: string): WirePairing | undefined {
    return this.#mirror.pairing(numero);
  }

  drain(): Promise<void> {
    this.#ending = true;
    void this.#balancer.stop();
    return this.#manager.drain();
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  /** Runs a call for a session that this process carries, and waits until its writes are pushed here. */
  async #settled<T>(typed: string, call: () => Promise<T>): Promise<T> {
    this.#refuseStray(typed);
    const result = await call();
    await this.#settle();
    return result;
  }

  /** Resolves once everything written so far is pushed here, or after a timeout. */
  async #settle(): Promise<void> {
    await settles(
      this.#publisher.written().then(() => this.#member.settle()),
      PATIENCE,
    );
  }

  #membership(typed: string): Membership {
    return this.#member.membership ?? refuse('no-database', typed);
  }

  /** Returns where to create a session: here, if there is room. */
  #creator(typed: string): Target | undefined {
    const { view } = this.#balancer;
    const own = view?.nodes.find(({ id }) => id === view.me);
    if (!view || !own) throw new SessionRefused('moving', typed);
    const hasRoom = view.mine < (own.capacity ?? Number.POSITIVE_INFINITY);
    if (hasRoom && !own.draining && !this.#ending) return undefined;
    return roomiest(view) ?? refuse('full', typed);
  }

  async #create(typed: string): Promise<void> {
    if (this.#manager.has(typed)) return;
    const member = this.#membership(typed);
    // The gateway that forwarded the call knows only the number at the last beat.
    const { maxSessions = Number.POSITIVE_INFINITY } = this.#options;
    while (this.#balancer.claiming) await this.#balancer.claiming;
    if (this.#balancer.carried >= maxSessions) refuse('full', typed);
    const isCreated = await this.#balancer
      .take(async () => {
        const created = await create(member, canonicalNumero(typed));
        return created ? [created] : [];
      })
      .catch((error: unknown) => {
        throw this.#refusal(typed, error);
      });
    if (!isCreated) this.#refuseStray(typed);
  }

  /** Refuses a call for a session that another process carries or will carry. */
  #refuseStray(typed: string): void {
    if (this.#manager.has(typed)) return;
    this.#balancer.suspectStrays();
    throw new SessionRefused('moving', typed);
  }

  #refusal(typed: string, error: unknown): SessionRefused {
    this.#log.warn({ numero: typed, reason: reasonOf(error) }, 'The database did not answer a call.');
    return new SessionRefused('no-database', typed);
  }

  /** Releases a session that another process now owns. */
  async #abandon(numero: string): Promise<void> {
    if (!this.#manager.has(numero)) return;
    this.#log.warn({ numero }, 'Another gateway carries the session: it is let go.');
    this.#publisher.drop(numero);
    this.#store.drop(numero);
    await this.#manager.abandon(numero).catch((error: unknown) => {
      this.#log.error({ err: error }, 'A session was let go badly.');
    });
    const { membership } = this.#member;
    // Nobody announces the deletion of a row by hand. If this fails, panels learn of it when their gateway reads the
    // table.
    if (membership) await announceRemoved(membership, numero).catch(() => {});
  }

  async #letGo(): Promise<void> {
    await this.#abandonAll();
    // It may have taken some meanwhile.
    await this.#balancer.settled();
    await this.#abandonAll();
  }

  /** Closes every connection to WhatsApp, also of sessions that are being deleted. */
  async #abandonAll(): Promise<void> {
    const carried = [...this.#manager.list(), ...this.#store.sessions()].map(({ numero }) => numero);
    this.#store.dropAll();
    this.#publisher.dropAll();
    const abandoned = [...new Set(carried)].map((numero) => this.#manager.abandon(numero));
    for (const result of await Promise.allSettled(abandoned)) {
      if (result.status === 'rejected') {
        this.#log.error({ err: result.reason }, 'A session was let go badly.');
      }
    }
  }

  async #end(): Promise<void> {
    this.#ending = true;
    // A hanging database must not keep the process alive: closing the connections ends what waits for it.
    await settles(Promise.all([this.#balancer.stop(), this.#publisher.written()]), PATIENCE);
    await settles(this.#abandonAll(), PATIENCE);
    await this.#member.leave();
    await this.#manager.close();
  }
}

function refuse(reason: SessionRefusal, numero: string): never {
  throw new SessionRefused(reason, numero);
}
