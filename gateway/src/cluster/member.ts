import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { SharedFleet } from '../engines/fleet.ts';
import { settles } from '../sessions/drain.ts';
import { type Cipher, PLAIN } from '../store/cipher.ts';
import { reasonOf } from '../store/disk.ts';
import { clusterRow, isOpenToAll, readSecretCipher } from '../store/postgres/cluster-row.ts';
import type { Sql } from '../store/postgres/database.ts';
import { DatabaseError, databaseError } from '../store/postgres/database-error.ts';
import type { Membership } from '../store/postgres/membership.ts';
import { migrate } from '../store/postgres/migrations.ts';
import { version } from '../version.ts';
import { plant } from './claims.ts';
import { Ear } from './ear.ts';
import { connectLink, endLink, type Link } from './link.ts';
import type { Mirror } from './mirror.ts';
import { type KnownNode, Node } from './node.ts';
import type { Notice } from './notices.ts';

/** Wait before another attempt to listen or to join, in milliseconds. */
const RETRY = 500;
const OPEN_TO_ALL =
  'Every role of the database server may connect to this database, and disturb the gateways by NOTIFY: run ' +
  'REVOKE CONNECT ON DATABASE … FROM PUBLIC, as docs/cluster.md says.';
const STRANGER =
  'A notification is not sealed with the secret of the gateways: it was sealed with an earlier secret, or sent by ' +
  'someone else. REVOKE CONNECT ON DATABASE … FROM PUBLIC keeps other roles out.';
/** Wait before missed changes are read, in milliseconds: anyone can trigger this. */
const SUSPICION = 5_000;
/** Longest wait for rows to be read, in milliseconds. */
const READ_TIMEOUT = 2_000;
/** The number of nodes whose last push number is remembered. */
const NODES = 1_000;
/** Longest wait to announce in the database that this process leaves, in milliseconds. */
const LEAVE_TIMEOUT = 2_000;
/** Marks that may fail to return before the connection is replaced. */
const DEAF_AFTER = 2;
/** Longest wait before the next beat after the nodes have changed, in milliseconds: not all nodes may beat at once. */
const HURRY = 200;

export interface MemberOptions {
  /** `postgres://…` */
  readonly database: string;
  /** In seconds. */
  readonly lease: number;
  /** Most sessions to carry; undefined for any number. */
  readonly capacity: number | undefined;
}

export interface MemberHandlers {
  /** How many sessions this process carries. */
  sessions(): number;
  /** The other nodes have changed, or sessions are free. */
  changed(): void;
  /** Somebody has opened the link of a session, of any gateway; the link expires at that time. */
  opened(numero: string, expires: number): void;
  /** The lease is over. Resolves when every connection to WhatsApp is closed; then the process joins again. */
  lost(): Promise<void>;
}

/** This process in the cluster: its connections to the database, the notices that it receives, and its lease. */
export class Member {
  /** Identifies this process, from its start to its end. */
  readonly process = randomUUID();
  readonly #options: MemberOptions;
  readonly #mirror: Mirror;
  readonly #handlers: MemberHandlers;
  readonly #log: Logger;
  #link: Link | undefined;
  readonly #ear: Ear;
  #node: Node | undefined;
  #cipher: Cipher = PLAIN;
  #suspicion: NodeJS.Timeout | undefined;
  /** Whether the log already says that a stranger sends notifications: they can do so as often as they like. */
  #hasWarned = false;
  /** By node, the number of the last pushes: others can repeat the pushes that they receive. */
  readonly #numbers = new LRUCache<string, number>({ max: NODES });
  #url = '';
  #nodes: readonly KnownNode[] = [];
  #lag: number | undefined;
  #unheard = 0;
  #hurry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: MemberOptions, mirror: Mirror, handlers: MemberHandlers, log: Logger) {
    this.#options = options;
    this.#mirror = mirror;
    this.#handlers = handlers;
    this.#log = log;
    this.#ear = new Ear(
      options.database,
      {
        cipher: () => this.#cipher,
        heard: (notice) => this.#hear(notice),
        listening: () => void this.#mirror.readAnew(),
        unreadable: () => {
          if (!this.#hasWarned) this.#log.warn(STRANGER);
          this.#hasWarned = true;
          this.suspectSecret();
        },
      },
      log,
    );
  }

  /** The right to write, while this process has it. */
  get membership(): Membership | undefined {
    return this.#link && this.#node?.isValid
      ? { sql: this.#link.work.sql, id: this.#node.id, cipher: this.#cipher }
      : undefined;
  }

  /** A connection for data that any process may read; undefined before it opens, and after the end. */
  get sql(): Sql | undefined {
    return this.#closed ? undefined : this.#link?.work.sql;
  }

  /** The id of its node; undefined before it has joined. */
  get id(): string | undefined {
    return this.#node?.id;
  }

  /** All nodes, as of the last beat. */
  get nodes(): readonly KnownNode[] {
    return this.#nodes;
  }

  /** Seals the notices and calls between gateways, so that nobody else can read or forge them. */
  get cipher(): Cipher {
    return this.#cipher;
  }

  /** Something could not be opened with {@link cipher}: the secret may have changed, and notices been missed. */
  suspectSecret(): void {
    this.#suspicion ??= setTimeout(() => {
      this.#suspicion = undefined;
      void this.#renewSecret();
    }, SUSPICION);
  }

  /** Prepares the database and reads the sessions. Rejects with a `DatabaseError`. */
  async open({ name, cipher, seeds }: SharedFleet): Promise<void> {
    const { database } = this.#options;
    this.#link = await connectLink(database);
    try {
      await migrate(this.#link.work);
      this.#cipher = (await clusterRow(this.#link.work, name, cipher)).secretCipher;
      if (await isOpenToAll(this.#link.work.sql)) this.#log.warn(OPEN_TO_ALL);
      await plant(this.#link.work, seeds);
      await this.#ear.open();
      await this.#mirror.settled();
    } catch (error) {
      throw databaseError(database, error);
    }
  }

  /** Joins the cluster; other gateways reach this one at `url`. Rejects with a `DatabaseError`. */
  async join(url: string): Promise<void> {
    this.#url = url;
    if (!this.#link) throw new Error('The database is not open');
    try {
      await this.#joinWith(this.#link);
      this.#mirror.serve(true);
    } catch (error) {
      throw databaseError(this.#options.database, error);
    }
  }

  /** Waits until everything that gateways have written so far is pushed here too; gives up after two seconds. */
  async settle(): Promise<void> {
    if (!this.#link) return;
    await this.#ear.mark(this.#link.work.sql);
    await settles(this.#mirror.settled(), READ_TIMEOUT);
  }

  /** Lets others take the sessions over, and ends the connections. */
  async leave(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#hurry);
    clearTimeout(this.#suspicion);
    const link = this.#link;
    try {
      if (this.#node) await settles(this.#node.leave(), LEAVE_TIMEOUT);
    } catch (error) {
      this.#log.warn({ reason: reasonOf(error) }, 'The database could not be told that this gateway ends.');
    }
    await this.#ear.end();
    if (link) await endLink(link);
  }

  async #joinWith(link: Link): Promise<void> {
    const { lease, capacity } = this.#options;
    const node: Node = new Node(
      link.beats.sql,
      { url: this.#url, version: version(), lease, capacity, draining: this.#isDraining },
      {
        cipher: () => this.#cipher,
        figures: () => ({ sessions: this.#handlers.sessions(), lag: this.#lag }),
        beaten: (nodes) => this.#beaten(link, nodes),
        lost: () => {
          if (this.#node === node) void this.#lost(node.id);
        },
      },
    );
    try {
      await node.join();
      await node.beat();
      if (!node.isValid)
        throw new DatabaseError('The database answers too late for this lease: raise --lease.');
    } catch (error) {
      node.abandon();
      throw error;
    }
    this.#node = node;
    this.#handlers.changed();
  }

  /** Whether an operator drains this process; it stays true when the process joins again. */
  get #isDraining(): boolean {
    return this.#nodes.find(({ id }) => id === this.id)?.draining ?? false;
  }

  #beaten(link: Link, nodes: readonly KnownNode[]): void {
    this.#nodes = nodes;
    this.#handlers.changed();
    void this.#checkEar(link);
  }

  /** A connection that was cut silently looks open: a process that does not receive its own marks listens again. */
  async #checkEar(link: Link): Promise<void> {
    const lag = await this.#ear.mark(link.work.sql);
    if (link !== this.#link || this.#closed) return;
    this.#lag = lag === undefined ? undefined : Math.round(lag);
    this.#unheard = lag === undefined ? this.#unheard + 1 : 0;
    if (this.#unheard < DEAF_AFTER) return;
    this.#unheard = 0;
    this.#log.warn('Notifications of the database do not arrive: listening anew.');
    await this.#ear.renew();
  }

  async #renewSecret(): Promise<void> {
    const { sql } = this;
    if (!sql) return;
    try {
      this.#cipher = await readSecretCipher(sql);
      await this.#mirror.readAll();
    } catch {
      this.suspectSecret();
    }
  }

  #hear(notice: Notice): void {
    this.#unheard = 0;
    switch (notice.type) {
      case 'change':
        this.#mirror.apply(notice);
        return;
      case 'rows':
        if (notice.numero !== undefined) this.#mirror.read(notice.numero);
        else void this.#mirror.readAll();
        return;
      case 'pushes':
        if (notice.number <= (this.#numbers.get(notice.node) ?? 0)) return;
        this.#numbers.set(notice.node, notice.number);
        for (const push of notice.pushes) this.#mirror.pass(push);
        return;
      case 'opened':
        this.#handlers.opened(notice.numero, notice.expires);
        return;
      case 'free':
        this.#handlers.changed();
        return;
      case 'nodes':
        this.#hurry ??= setTimeout(() => {
          this.#hurry = undefined;
          void this.#node?.beat();
        }, Math.random() * HURRY);
        return;
      case 'secret':
        void this.#renewSecret();
    }
  }

  async #lost(id: string): Promise<void> {
    const link = this.#link;
    this.#log.warn('The lease is over: every session is let go, and others may take them.');
    this.#mirror.serve(false);
    const released = this.#handlers.lost();
    if (link) void endLink(link);
    await released;
    // It may hang like the others.
    await this.#ear.renew();
    let last: string | undefined;
    while (!this.#closed) {
      const fresh = await connectLink(this.#options.database);
      this.#link = fresh;
      try {
        await this.#joinWith(fresh);
        this.#log.info('Joined the cluster again.');
        // Others bury it eventually.
        await this.#node?.forget(id).catch(() => {});
        // Not before it knows which sessions nobody carries.
        void this.#mirror.readAnew().then(() => this.#mirror.serve(this.membership !== undefined));
        if (this.#closed) await this.leave();
        return;
      } catch (error) {
        const reason = reasonOf(error);
        if (reason !== last) this.#log.warn({ reason }, 'The cluster cannot be joined: trying until it can.');
        last = reason;
        await endLink(fresh);
        await wait(RETRY);
      }
    }
  }
}
