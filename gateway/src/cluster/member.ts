import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { settles } from '../drain.ts';
import { type Cipher, PLAIN } from '../ledger/cipher.ts';
import { agree, isOpenToAll, OPEN_TO_ALL, readSecretCipher } from '../ledger/cluster-row.ts';
import { type Connections, checkUnpooled, connect, end, type Sql } from '../ledger/database.ts';
import { DatabaseError, databaseError } from '../ledger/database-error.ts';
import { prepareTables } from '../ledger/database-schema.ts';
import { reasonOf } from '../ledger/operations.ts';
import { type SharedSessions, seed } from '../ledger/seed.ts';
import { type Membership, notify } from '../ledger/session-rows.ts';
import { version } from '../version.ts';
import { Listener } from './listener.ts';
import { type KnownNode, Node } from './node.ts';
import { type Notice, sealNotice } from './notices.ts';
import type { SessionCache } from './session-cache.ts';

/** Wait before another attempt to listen or to join, in milliseconds. */
const RETRY = 500;
const UNREADABLE =
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
const SILENT_AFTER = 2;
/** The number of rows in a notice of late ones, which has to fit into a notification. */
const LATE_ROWS = 80;
/** Longest wait before the next beat after the nodes have changed, in milliseconds: not all nodes may beat at once. */
const HURRY = 200;

interface MemberOptions {
  readonly database: string;
  /** In seconds. */
  readonly lease: number;
  /** Most sessions to own; undefined for any number. */
  readonly capacity: number | undefined;
}

interface MemberHandlers {
  sessions(): number;
  /** The other nodes have changed, or sessions are free. */
  changed(): void;
  /** Somebody has opened the link of a session, of any gateway, that has this id. */
  opened(numero: string, link: string): void;
  /** The lease is over. Resolves when every connection to WhatsApp is closed; then the process joins again. */
  lost(): Promise<void>;
}

/** This process in the cluster: its connections to the database, the notices that it receives, and its lease. */
export class Member {
  /** Identifies this process, from its start to its end. */
  readonly process = randomUUID();
  readonly #options: MemberOptions;
  readonly #cache: SessionCache;
  readonly #handlers: MemberHandlers;
  readonly #log: Logger;
  #connections: Connections | undefined;
  readonly #listener: Listener;
  #node: Node | undefined;
  #cipher: Cipher = PLAIN;
  #suspicion: NodeJS.Timeout | undefined;
  /** Whether the log already says that a stranger sends notifications: they can do so as often as they like. */
  #hasWarned = false;
  /** By node, the number of the last pushes: others can repeat the pushes that they receive. */
  readonly #numbers = new LRUCache<string, number>({ max: NODES });
  /** Whether this process may act for sessions, and knows who owns them. */
  #isServing = false;
  #url = '';
  #nodes: readonly KnownNode[] = [];
  /** By node that could not be reached, its beats at that moment. */
  readonly #unreached = new LRUCache<string, string>({ max: NODES });
  #unreceived = 0;
  #hurry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: MemberOptions, cache: SessionCache, handlers: MemberHandlers, log: Logger) {
    this.#options = options;
    this.#cache = cache;
    this.#handlers = handlers;
    this.#log = log;
    this.#listener = new Listener(
      options.database,
      {
        cipher: () => this.#cipher,
        received: (notice) => this.#receive(notice),
        listening: () => void this.#cache.rows.readAnew(),
        unreadable: () => {
          if (!this.#hasWarned) this.#log.warn(UNREADABLE);
          this.#hasWarned = true;
          this.suspectSecret();
        },
      },
      log,
    );
  }

  /** The right to write, while this process has it. */
  get membership(): Membership | undefined {
    if (!this.#connections || !this.#node?.isValid) return undefined;
    const cipher = this.#cipher;
    const rowNotice = (numero: string) => sealNotice(cipher, { type: 'rows', numero });
    return { sql: this.#connections.work.sql, id: this.#node.id, cipher, rowNotice };
  }

  /** A connection for data that any process may read; undefined before it opens, and after the end. */
  get sql(): Sql | undefined {
    return this.#closed ? undefined : this.#connections?.work.sql;
  }

  /** The id of its node; undefined before it has joined. */
  get id(): string | undefined {
    return this.#node?.id;
  }

  /** Milliseconds since the last good beat; 0 before this process has joined. */
  get leaseAge(): number {
    return this.#node?.leaseAge ?? 0;
  }

  /** All nodes, as of the last beat. */
  get nodes(): readonly KnownNode[] {
    return this.#nodes;
  }

  /** Seals the notices and calls between gateways, so that nobody else can read or forge them. */
  get cipher(): Cipher {
    return this.#cipher;
  }

  /** A node could not be reached: its sessions are not listed as connected before its next beat. */
  unreached(id: string): void {
    const node = this.#nodes.find((other) => other.id === id);
    if (node) this.#unreached.set(id, node.beats);
    this.#showSilent();
  }

  /** The states of sessions cannot be written: no gateway lists them as connected meanwhile. */
  late(numeros: readonly string[]): void {
    const rows = this.#cache.connected(numeros);
    this.#cache.hide(rows);
    // The connections for the work may all wait for the table.
    const { sql } = this.#connections?.beats ?? {};
    for (let place = 0; sql && place < rows.length; place += LATE_ROWS) {
      const notice = { type: 'late', rows: rows.slice(place, place + LATE_ROWS) } as const;
      void notify(sql, sealNotice(this.#cipher, notice)).catch(() => {});
    }
  }

  /** Something could not be opened with {@link cipher}: the secret may have changed, and notices been missed. */
  suspectSecret(): void {
    this.#suspicion ??= setTimeout(() => {
      this.#suspicion = undefined;
      void this.#renewSecret();
    }, SUSPICION);
  }

  /** Prepares the database and reads the sessions. Rejects with a `DatabaseError`. */
  async open({ name, cipher, seeds }: SharedSessions): Promise<void> {
    const { database } = this.#options;
    this.#connections = await connect(database);
    const { beats, work } = this.#connections;
    try {
      await checkUnpooled(beats.sql, work.sql);
      await prepareTables(work);
      this.#cipher = await agree(work, name, cipher);
      if (await isOpenToAll(work.sql)) this.#log.warn(OPEN_TO_ALL);
      await seed(work, seeds);
      await this.#listener.open();
      await this.#cache.rows.settled();
    } catch (error) {
      throw databaseError(database, error);
    }
  }

  /** Joins the cluster; other gateways reach this one at `url`. Rejects with a `DatabaseError`. */
  async join(url: string): Promise<void> {
    this.#url = url;
    if (!this.#connections) throw new Error('The database is not open');
    try {
      await this.#joinWith(this.#connections);
      this.#serve();
    } catch (error) {
      throw databaseError(this.#options.database, error);
    }
  }

  /** Waits until everything that gateways have written so far is pushed here too; gives up after two seconds. */
  async settle(): Promise<void> {
    if (!this.#connections) return;
    await this.#listener.mark(this.#connections.work.sql);
    await settles(this.#cache.rows.settled(), READ_TIMEOUT);
  }

  /** Lets others take the sessions over, and ends the connections. */
  async leave(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#hurry);
    clearTimeout(this.#suspicion);
    const connections = this.#connections;
    try {
      if (this.#node) await settles(this.#node.leave(), LEAVE_TIMEOUT);
    } catch (error) {
      this.#log.warn(
        { reason: reasonOf(error) },
        'The end of this gateway could not be written to the database.',
      );
    }
    await this.#listener.end();
    if (connections) await end(connections);
  }

  async #joinWith(connections: Connections): Promise<void> {
    const { lease, capacity } = this.#options;
    // An operator's drain holds also when this process joins again.
    const draining = this.#nodes.find(({ id }) => id === this.id)?.draining ?? false;
    const node: Node = new Node(
      connections.beats.sql,
      { url: this.#url, version: version(), lease, capacity, draining },
      {
        cipher: () => this.#cipher,
        sessions: () => this.#handlers.sessions(),
        beaten: (nodes) => {
          this.#nodes = nodes;
          this.#showSilent();
          this.#handlers.changed();
          void this.#checkListener(connections);
        },
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

  /** From now on, sessions may be listed as connected: the list has been read from the table. */
  #serve(): void {
    this.#isServing = this.membership !== undefined;
    this.#showSilent();
  }

  #showSilent(): void {
    const silent = this.#nodes.filter(
      ({ id, beats, isSilent }) => isSilent || this.#unreached.get(id) === beats,
    );
    this.#cache.reach(this.#isServing ? new Set(silent.map(({ id }) => id)) : undefined);
  }

  /** A connection that was cut silently looks open: a process that does not receive its own marks listens again. */
  async #checkListener(connections: Connections): Promise<void> {
    const isReceived = await this.#listener.mark(connections.work.sql);
    if (connections !== this.#connections || this.#closed) return;
    this.#unreceived = isReceived ? 0 : this.#unreceived + 1;
    if (this.#unreceived < SILENT_AFTER) return;
    this.#unreceived = 0;
    this.#log.warn('Notifications from the database do not arrive: listening again.');
    await this.#listener.renew();
  }

  async #renewSecret(): Promise<void> {
    const { sql } = this;
    if (!sql) return;
    try {
      this.#cipher = await readSecretCipher(sql);
      await this.#cache.rows.readAll();
    } catch {
      this.suspectSecret();
    }
  }

  #receive(notice: Notice): void {
    this.#unreceived = 0;
    switch (notice.type) {
      case 'change':
        this.#cache.apply(notice);
        return;
      case 'rows':
        if (notice.numero !== undefined) this.#cache.rows.read(notice.numero);
        else void this.#cache.rows.readAll();
        return;
      case 'pushes':
        if (notice.number <= (this.#numbers.get(notice.node) ?? 0)) return;
        this.#numbers.set(notice.node, notice.number);
        for (const push of notice.pushes) this.#cache.pass(push);
        return;
      case 'late':
        this.#cache.hide(notice.rows);
        return;
      case 'opened':
        this.#handlers.opened(notice.numero, notice.link);
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
    const connections = this.#connections;
    this.#log.warn('The lease is over: all sessions are released, and others may take them.');
    this.#isServing = false;
    this.#showSilent();
    const released = this.#handlers.lost();
    if (connections) void end(connections);
    await released;
    // Its connection may hang like the others.
    await this.#listener.renew();
    let last: string | undefined;
    while (!this.#closed) {
      const fresh = await connect(this.#options.database);
      this.#connections = fresh;
      try {
        await this.#joinWith(fresh);
        this.#log.info('Joined the cluster again.');
        // Others delete it eventually.
        await this.#node?.free(id).catch(() => {});
        // Only now does it know which sessions nobody owns.
        void this.#cache.rows.readAnew().then(() => this.#serve());
        if (this.#closed) await this.leave();
        return;
      } catch (error) {
        const reason = reasonOf(error);
        if (reason !== last) this.#log.warn({ reason }, 'The cluster cannot be joined: trying until it can.');
        last = reason;
        await end(fresh);
        await wait(RETRY);
      }
    }
  }
}
