import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { STATES, type WireSession } from '../../../../src/wire.ts';
import type { Scope } from '../../../../test/support/scope.ts';
import { until } from '../../../../test/support/until.ts';
import type { Sql } from '../../../src/ledger/database.ts';
import type { RunOptions } from '../../support/command.ts';
import type { Phone } from '../../whatsapp/fake/phone.ts';
import { type FakeWhatsapp, startFakeWhatsapp } from '../../whatsapp/fake/whatsapp.ts';
import { ClusterNode } from './cluster-node.ts';
import { LEASE } from './lease.ts';
import { startLink } from './link.ts';
import { Panel } from './panel.ts';
import { type Postgres, type Standby, startPostgres } from './postgres.ts';
import { beatUntil, bury } from './tables.ts';

interface ClusterOptions {
  /** How many gateways. Default 3. */
  readonly nodes?: number;
  /** In seconds. Default {@link LEASE}. */
  readonly lease?: number;
  /** Default whatsapp. */
  readonly engine?: 'whatsapp' | 'simulated';
  /** Whether the database has a standby. Default false. */
  readonly hasStandby?: boolean;
}

/** A row of the table of sessions. */
interface SessionRow {
  readonly numero: string;
  readonly state: string;
  readonly qr: string | null;
  readonly waiting: boolean;
  /** Where its owner is reached; null if nobody owns it. */
  readonly url: string | null;
}

/** Nobody's phone but the tests': all messages go there. */
const RECEIVER = '34699999999';
/** Longer than any takeover on a busy machine, in milliseconds. */
const PATIENCE = 90_000;

/** Starts gateways on a fresh database, with the real client library and a fake WhatsApp; all of it ends with the test. */
export async function layOutCluster(scope: Scope, options: ClusterOptions = {}): Promise<ClusterLab> {
  const server = await startPostgres(scope);
  const standby = options.hasStandby ? await server.standby(scope) : undefined;
  const database = new URL(await server.freshDatabase()).pathname.slice(1);
  // Devices that upload no one-time keys keep the machine free for what is tested.
  const whatsapp = await startFakeWhatsapp({ preKeys: 100 });
  scope.after(() => whatsapp.close());
  const lab = new ClusterLab(scope, server, standby, database, whatsapp, options);
  await Promise.all(Array.from({ length: options.nodes ?? 3 }, () => lab.add()));
  return lab;
}

export class ClusterLab {
  readonly server: Postgres;
  readonly standby: Standby | undefined;
  readonly whatsapp: FakeWhatsapp;
  /** All gateways that were ever started. */
  readonly nodes: ClusterNode[] = [];
  /** The numeros that were linked, and not deleted. */
  readonly numeros: string[] = [];
  /** In seconds. */
  readonly lease: number;
  readonly #scope: Scope;
  /** The name of the database. */
  readonly #database: string;
  #primary: Postgres;
  readonly #engine: 'whatsapp' | 'simulated';
  #messages = 0;
  /** How often a session was started again before it was linked. */
  #restarts = 0;

  constructor(
    scope: Scope,
    server: Postgres,
    standby: Standby | undefined,
    database: string,
    whatsapp: FakeWhatsapp,
    { lease = LEASE, engine = 'whatsapp' }: ClusterOptions,
  ) {
    this.#scope = scope;
    this.server = server;
    this.standby = standby;
    this.#database = database;
    this.#primary = server;
    this.whatsapp = whatsapp;
    this.lease = lease;
    this.#engine = engine;
  }

  /** The URL of the database, without a link in between. */
  get database(): string {
    return this.server.url(this.#database, ...(this.standby ? [this.standby] : []));
  }

  /** The gateways that work as they should. */
  get serving(): ClusterNode[] {
    return this.nodes.filter(({ isServing }) => isServing);
  }

  /** Starts another gateway, which reaches the database by links of its own. */
  async add(args: readonly string[] = [], options: RunOptions = {}): Promise<ClusterNode> {
    const servers = [this.server, ...(this.standby ? [this.standby] : [])];
    const links = await Promise.all(servers.map(({ port }) => startLink(this.#scope, port)));
    const url = links.reduce((rest, link) => link.url(rest), this.database);
    const engine =
      this.#engine === 'whatsapp'
        ? ['--engine', 'whatsapp', '--whatsapp-url', this.whatsapp.url]
        : ['--engine', 'simulated', '--sessions', '0', '--log-level', 'info'];
    const cluster = ['--database', url, '--lease', String(this.lease)];
    const node = new ClusterNode(this.#scope, [...engine, ...cluster, ...args], links, options);
    this.nodes.push(node);
    return node.listens();
  }

  /** Links that many new numeros, at the gateways in turn; returns them. */
  async linkMany(count: number): Promise<string[]> {
    const first = this.numeros.length;
    const numeros = Array.from({ length: count }, (_, index) => `521555000${1_000 + first + index}`);
    const { serving } = this;
    await Promise.all(
      serving.map(async (node, turn) => {
        for (const numero of numeros.filter((_, index) => index % serving.length === turn)) {
          await this.link(numero, node);
        }
      }),
    );
    return numeros;
  }

  /** Starts a session and has its phone scan the code, until it is connected. */
  async link(numero: string, via = this.#any): Promise<void> {
    await (this.lease < LEASE ? this.#linkWithRestarts(numero, via) : via.link(numero, this.whatsapp));
    this.numeros.push(numero);
  }

  /** Links it also where a gateway that is too slow for a short lease loses it: a start that is taken over ends. */
  async #linkWithRestarts(numero: string, via: ClusterNode): Promise<void> {
    assert.equal((await via.levanta(numero)).status, 200);
    let scanned: string | undefined;
    const linked = async () => {
      const { state, qrCode } = (await via.session(numero)) ?? {};
      if (state === STATES.connected) return true;
      if (state === STATES.disconnected) {
        this.#restarts += 1;
        await via.levanta(numero);
      }
      if (!qrCode || qrCode === scanned) throw new Error(`it is ${state}`);
      scanned = qrCode;
      await this.whatsapp.phone(numero).scan(qrCode);
      return false;
    };
    await via.until(linked, `${numero} to be linked`);
  }

  /** Has the others bury a gateway that was killed; where leases are short, they do so by themselves. */
  async bury({ url }: ClusterNode): Promise<void> {
    if (this.lease < LEASE) return;
    await this.query(async (sql) => {
      const [row] = await sql<{ id: string }>`SELECT id FROM node WHERE url = ${url}`;
      await bury(sql, row?.id ?? assert.fail('it is buried already'));
    });
  }

  /** Waits until every linked numero is owned by a running gateway, logged in at WhatsApp, and listed so everywhere. */
  async allConnected(): Promise<void> {
    const isBack = async () => {
      const owners = await this.owners();
      for (const numero of this.numeros) {
        if (!owners.get(numero)?.isServing) throw new Error(`nobody owns ${numero}`);
        if (!this.whatsapp.phone(numero).online) throw new Error(`${numero} is not logged in`);
      }
      for (const node of this.serving) {
        const states = new Map((await node.list()).map(({ numero, state }) => [numero, state]));
        for (const numero of this.numeros) {
          if (states.get(numero) !== STATES.connected) throw new Error(`${numero} is ${states.get(numero)}`);
        }
      }
      return true;
    };
    await until(isBack, 'all numeros to be connected', PATIENCE);
  }

  /** Crashes the database's primary, and has the standby take its place. */
  async failOver(): Promise<void> {
    await this.server.stop('immediate');
    await this.standby?.promote();
    this.#primary = this.standby ?? assert.fail('there is no standby');
  }

  /** Runs a statement in the cluster's database. */
  query<T>(statement: (sql: Sql) => PromiseLike<T>): Promise<T> {
    return this.#primary.query(statement, this.#database);
  }

  /** Has no gateway take a free session, until the returned function is called. */
  holdClaims(): Promise<() => Promise<void>> {
    return this.#primary.holdClaims(this.#database);
  }

  table(): Promise<SessionRow[]> {
    return this.query(
      (sql) => sql<SessionRow>`
        SELECT numero, state, qr, waiting, url FROM session LEFT JOIN node ON node.id = owner ORDER BY place`,
    );
  }

  /** Returns which gateway owns each numero; undefined for one that nobody does. */
  async owners(): Promise<Map<string, ClusterNode | undefined>> {
    const rows = await this.table();
    return new Map(rows.map(({ numero, url }) => [numero, this.nodes.find((node) => node.url === url)]));
  }

  /** Returns the numeros that a gateway owns. */
  async ownedBy(node: ClusterNode): Promise<string[]> {
    return [...(await this.owners())].flatMap(([numero, owner]) => (owner === node ? numero : []));
  }

  /** Waits until the gateways own even shares, none of them more than one session above another. */
  async even(): Promise<void> {
    const isEven = async () => {
      const owners = [...(await this.owners()).values()];
      const counts = this.serving.map((node) => owners.filter((owner) => owner === node).length);
      if (owners.includes(undefined) || Math.max(...counts) - Math.min(...counts) > 1) {
        throw new Error(`they own ${counts.join(', ')}`);
      }
      return true;
    };
    await this.query((sql) => beatUntil(sql, isEven, 'even shares', PATIENCE));
  }

  /** Opens a panel at a gateway. */
  panel(node: ClusterNode): Promise<Panel> {
    return Panel.open(this.#scope, node.url);
  }

  /** Waits until a panel shows what the table has. */
  async showsTable(panel: Panel): Promise<void> {
    const isEqual = async () => {
      const rows = (await this.table()).map(listed);
      assert.deepEqual(await panel.sessions(), rows);
      return true;
    };
    await until(isEqual, 'the panel to show the table');
  }

  /** No numero was ever logged in twice at once. */
  noSecondLogin(): void {
    const twice = this.numeros.filter((numero) => this.whatsapp.phone(numero).conflicts > 0);
    assert.deepEqual(twice, [], 'numeros that were logged in twice at once');
  }

  /** No numero needed a second code, and none was shown that nobody asked for. */
  noNewRegistration(): void {
    const relinked = this.numeros.filter((numero) => this.whatsapp.phone(numero).links !== 1);
    assert.deepEqual(relinked, [], 'numeros that were linked again');
    const starts = this.numeros.length + this.#restarts;
    assert.ok(
      this.whatsapp.registrations <= starts,
      `${this.whatsapp.registrations} clients came for a code`,
    );
  }

  get logins(): number {
    return this.numeros.reduce((sum, numero) => sum + this.whatsapp.phone(numero).logins, 0);
  }

  /** Whether nobody is logged in. */
  get isSilent(): boolean {
    return this.numeros.every((numero) => !this.whatsapp.phone(numero).online);
  }

  get conflicts(): number {
    return this.numeros.reduce((sum, numero) => sum + this.whatsapp.phone(numero).conflicts, 0);
  }

  /** The phone that all messages go to. */
  get receiver(): Phone {
    return this.whatsapp.phone(RECEIVER);
  }

  /** Sends a message, again as long as the answer says that nothing was sent and that it may be tried again. */
  async send(numero: string, text: string, via: ClusterNode): Promise<void> {
    const deadline = performance.now() + PATIENCE;
    for (;;) {
      const { status, body, headers } = await via.send(numero, RECEIVER, text);
      if (status === 200) return;
      const isLate = performance.now() > deadline;
      if (isLate || ![429, 503].includes(status)) assert.fail(`${numero}: ${status} ${JSON.stringify(body)}`);
      // Who asks more often meets the limit of messages.
      await wait(Number(headers.get('retry-after')) * 1_000);
    }
  }

  /** Sends a message from every numero, each at the next gateway: all arrive, and the receiver can read them. */
  async everyMessageDecrypts(): Promise<void> {
    const { serving } = this;
    const { receiver } = this;
    this.#messages += 1;
    const text = `Mensaje ${this.#messages}`;
    await Promise.all(
      this.numeros.map(async (numero, index) => {
        const node = serving[(index + this.#messages) % serving.length] ?? assert.fail('no gateway is left');
        await this.send(numero, text, node);
      }),
    );
    const senders = () =>
      receiver.messages.filter((message) => message.text === text).map(({ number }) => number);
    await until(() => senders().length >= this.numeros.length, 'the messages');
    assert.deepEqual(senders().sort(), [...this.numeros].sort());
    assert.deepEqual(receiver.failures, []);
  }

  get #any(): ClusterNode {
    return this.serving[0] ?? assert.fail('no gateway is left');
  }
}

function listed({ numero, state, qr, waiting }: SessionRow): WireSession {
  return { numero, state, ...(qr !== null && { qrCode: qr }), waiting };
}
