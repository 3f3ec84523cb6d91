import type { Logger } from 'pino';
import type { WireListItem, WirePairing } from '../../../src/wire.ts';
import { Fault } from '../diagnosis.ts';
import { settles } from '../drain.ts';
import { Ledger } from '../ledger/ledger.ts';
import { type DiskObserver, reasonOf } from '../ledger/operations.ts';
import { Postgres } from '../ledger/postgres.ts';
import type { SharedSessions } from '../ledger/seed.ts';
import { announceRemoved, type Membership, notify, ownerOf } from '../ledger/session-rows.ts';
import { NotOwnerError } from '../ledger/store-error.ts';
import type { ClusterFigures } from '../metrics.ts';
import type { Cluster } from '../sessions/cluster.ts';
import { type SessionRefusal, SessionRefused } from '../sessions/errors.ts';
import { linkId } from '../sessions/links.ts';
import type { Registry } from '../sessions/registry.ts';
import type { Session } from '../sessions/session.ts';
import type { Push } from '../sessions/transitions.ts';
import { hasRoomForAll, roomiest } from './balance.ts';
import { Caller, type Target } from './caller.ts';
import { Member } from './member.ts';
import { sealNotice } from './notices.ts';
import { Placement } from './placement.ts';
import { SessionCache } from './session-cache.ts';
import { Writer } from './writer.ts';

/** Longest wait for the push of written changes, and for the end of work under way, in milliseconds. */
const PATIENCE = 5_000;
/** Longest wait for this process's own answer at its URL, in milliseconds. */
const OWN_ANSWER = 5_000;
/** In seconds. */
const DEFAULT_LEASE = 15;

export interface ClusterOptions {
  /** `postgres://…`; several hosts are separated by commas, and the one that accepts writes is used. */
  readonly database: string;
  /** How other gateways reach this one, as `http://host:port`. Default: the URL that it listens on. */
  readonly advertise?: string | undefined;
  /** Seconds without a heartbeat after which other gateways take the sessions over, 5 to 300. Default 15. */
  readonly lease?: number | undefined;
  /** Most sessions that this gateway owns. Default any number. */
  readonly maxSessions?: number | undefined;
}

/** What a gateway contributes to the cluster. */
interface ClusterParts {
  readonly shared: SharedSessions;
  /** Receives the pushes for this gateway's panels. */
  readonly emit: (push: Push) => void;
  readonly onStoreTask?: DiskObserver | undefined;
  readonly registry: () => Registry;
}

/**
 * The gateways on one database. Each owns a share of the sessions. It lists the sessions of others as they have written
 * them, and forwards calls for those.
 */
export class PostgresCluster implements Cluster {
  readonly #options: ClusterOptions;
  readonly #shared: SharedSessions;
  readonly #log: Logger;
  readonly #cache: SessionCache;
  readonly #writer: Writer;
  readonly member: Member;
  readonly caller: Caller;
  /** The sessions that this process owns, and their keys. */
  readonly ledger: Ledger;
  readonly #registry: () => Registry;
  readonly #placement: Placement;
  #isEnding = false;

  /** @param log the operator log */
  constructor(options: ClusterOptions, { shared, emit, onStoreTask, registry }: ClusterParts, log: Logger) {
    const { database, lease = DEFAULT_LEASE, maxSessions } = options;
    this.#options = options;
    this.#shared = shared;
    this.#log = log;
    this.#cache = new SessionCache(() => this.member.sql, emit, log);
    this.member = new Member(
      { database, lease, capacity: maxSessions },
      this.#cache,
      {
        sessions: () => registry().size,
        changed: () => this.#placement.place(),
        lost: () => this.#endLease(),
        opened: (numero, link) => {
          const session = registry().find(numero);
          // Somebody may repeat the notice that an earlier link was opened.
          if (session?.shown?.link?.id === link) void session.record.linkOpened();
        },
      },
      log,
    );
    this.caller = new Caller(this.member);
    const membership = () => this.member.membership;
    const lost = (numero: string) => void this.#abandon(numero);
    this.#writer = new Writer(membership, lost, (numeros) => this.member.late(numeros), log);
    const print = (sentence: string) => log.error(sentence);
    const driver = new Postgres(
      membership,
      () => this.member.sql,
      () => this.#writer.written(),
    );
    this.ledger = new Ledger(driver, { cipher: shared.cipher, print, lost, onDiskTask: onStoreTask });
    this.#registry = registry;
    this.#placement = new Placement(
      {
        member: this.member,
        cache: this.#cache,
        registry,
        ledger: this.ledger,
        writer: this.#writer,
        abandon: (numero) => this.#abandon(numero),
      },
      lease,
      log,
    );
  }

  /** Opens the database. Rejects with a `DatabaseError`. */
  async open(): Promise<void> {
    await this.member.open(this.#shared);
  }

  /**
   * Joins the cluster, once this gateway listens. Rejects with a `DatabaseError`, or with another {@link Fault} if other
   * gateways could not reach it.
   *
   * @param url where it listens
   */
  async join(url: string): Promise<void> {
    const { advertise } = this.#options;
    // A gateway that joins receives sessions; if it had to end again, that would only interrupt them. Where it listens,
    // it answers, however late.
    if (advertise !== undefined) await this.#checkAdvertised(advertise);
    await this.member.join(advertise ?? url);
  }

  get isReady(): boolean {
    return !this.#isEnding && this.member.membership !== undefined && !this.#writer.isLate;
  }

  list(): WireListItem[] {
    return this.#cache.list();
  }

  get(typed: string): WireListItem | undefined {
    return this.#cache.get(typed);
  }

  pairing(numero: string): WirePairing | undefined {
    return this.#cache.pairing(numero);
  }

  /**
   * Returns the gateway that a call for a session has to go to; undefined for this one. Rejects with a `SessionRefused`.
   *
   * @param isStart whether the call creates the session if it does not exist
   */
  async targetOf(typed: string, isStart: boolean): Promise<Target | undefined> {
    if (this.#registry().find(typed)) return undefined;
    const { sql, id } = this.#membership(typed);
    const owner = await ownerOf(sql, typed).catch((error: unknown) => {
      throw this.#unanswered(typed, error);
    });
    if (!owner) return isStart ? this.#creator(typed) : refuse('unknown', typed);
    if (owner.id === id) return undefined;
    if (owner.id === null || owner.url === null) {
      const view = this.#placement.view;
      refuse(view && !hasRoomForAll(view) ? 'full' : 'moving', typed);
    }
    return { id: owner.id, url: owner.url };
  }

  async acquire(session: Session): Promise<void> {
    const { numero } = session;
    if (this.#isEnding) refuse('draining', numero);
    const membership = this.#membership(numero);
    const { maxSessions = Number.POSITIVE_INFINITY } = this.#options;
    const result = await this.#placement.create(membership, session, maxSessions).catch((error: unknown) => {
      throw this.#unanswered(numero, error);
    });
    // The gateway that forwarded the call knows only the number at the last heartbeat.
    if (result === 'full') refuse('full', numero);
    if (result === 'exists') throw this.refusal(numero);
  }

  get figures(): ClusterFigures {
    return this.#placement.figures;
  }

  publish(session: Session, push: Push): void {
    this.#writer.publish(session, push);
  }

  async settled(): Promise<void> {
    await settles(
      this.#writer.written().then(() => this.member.settle()),
      PATIENCE,
    );
  }

  /** Another process owns the session or is about to, or this one owns it without knowing. */
  refusal(numero: string): SessionRefused {
    this.#placement.place();
    return new SessionRefused('moving', numero);
  }

  async linked(hash: string): Promise<string | undefined> {
    // If a link cannot be looked up, that does not mean that it is over.
    this.#membership('');
    const numero = await this.ledger.linked(hash).catch((error: unknown) => {
      throw error instanceof NotOwnerError ? new SessionRefused('no-database', '') : error;
    });
    if (numero !== undefined && this.#cache.get(numero)?.link?.id !== linkId(hash)) {
      // The person with the link may arrive before the notice about it.
      this.#cache.rows.read(numero);
      await settles(this.#cache.rows.settled(), PATIENCE);
    }
    return numero;
  }

  async linkOpened(numero: string): Promise<void> {
    const { sql, cipher } = this.#membership(numero);
    const { link } = this.#cache.get(numero) ?? {};
    if (link) await notify(sql, sealNotice(cipher, { type: 'opened', numero, link: link.id }));
  }

  drain(): void {
    this.#isEnding = true;
    void this.#placement.stop();
  }

  async close(): Promise<void> {
    this.#isEnding = true;
    // A hanging database must not keep the process alive: closing the connections ends what waits for it.
    const written = [this.#placement.stop(), this.#writer.written(), this.#registry().flush()];
    await settles(Promise.all(written), PATIENCE);
    await settles(this.#abandonAll(), PATIENCE);
    await this.member.leave();
  }

  /** Makes sure that this process answers at its URL. */
  async #checkAdvertised(url: string): Promise<void> {
    const answered = await this.caller.whoIsAt(url, AbortSignal.timeout(OWN_ANSWER)).catch(() => undefined);
    if (answered === undefined) {
      throw new Fault(
        `No gateway of this cluster answers at ${url}, where other gateways look for this one: name a URL that reaches it with --advertise.`,
      );
    }
    if (answered !== this.member.process) {
      throw new Fault(
        `Another gateway answers at ${url}: name a URL that reaches only this one with --advertise.`,
      );
    }
  }

  #membership(typed: string): Membership {
    const { membership } = this.member;
    if (!membership) throw new SessionRefused('no-database', typed);
    return membership;
  }

  /** Returns where to create a session: here, if there is room. */
  #creator(typed: string): Target | undefined {
    const view = this.#placement.view;
    const own = view?.nodes.find(({ id }) => id === view.me);
    if (!view || !own) throw new SessionRefused('moving', typed);
    const hasRoom = view.mine < (own.capacity ?? Number.POSITIVE_INFINITY);
    if (hasRoom && !own.draining && !this.#isEnding) return undefined;
    return roomiest(view) ?? refuse('full', typed);
  }

  #unanswered(typed: string, error: unknown): SessionRefused {
    this.#log.warn({ numero: typed, reason: reasonOf(error) }, 'The database did not answer a call.');
    return new SessionRefused('no-database', typed);
  }

  /** Releases a session that another process now owns. */
  async #abandon(numero: string): Promise<void> {
    if (!this.#registry().find(numero)) return;
    this.#log.warn({ numero }, 'Another gateway owns the session: it is released.');
    this.#writer.drop(numero);
    this.ledger.drop(numero);
    await this.#registry()
      .abandon(numero)
      .catch((error: unknown) => this.#logAbandoned(error));
    const { membership } = this.member;
    if (!membership) return;
    // Nothing else announces a row that was deleted by hand. If this fails, panels learn of it when their gateway reads
    // the table.
    await announceRemoved(membership, numero).catch(() => {});
  }

  /** Closes every connection to WhatsApp: the lease is over. */
  async #endLease(): Promise<void> {
    await this.#abandonAll();
    // The placement may have taken sessions meanwhile.
    await this.#placement.settled();
    await this.#abandonAll();
  }

  /** Releases all sessions, also those that are being deleted. */
  async #abandonAll(): Promise<void> {
    const registry = this.#registry();
    const owned = [...registry.all, ...this.ledger.sessions()].map(({ numero }) => numero);
    this.ledger.dropAll();
    this.#writer.dropAll();
    const abandoned = [...new Set(owned)].map((numero) => registry.abandon(numero));
    for (const result of await Promise.allSettled(abandoned)) {
      if (result.status === 'rejected') this.#logAbandoned(result.reason);
    }
  }

  #logAbandoned(error: unknown): void {
    this.#log.error({ err: error }, 'A session could not be released.');
  }
}

function refuse(reason: SessionRefusal, numero: string): never {
  throw new SessionRefused(reason, numero);
}
