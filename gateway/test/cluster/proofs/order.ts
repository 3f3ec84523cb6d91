import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import type { WireSession } from '../../../../src/wire.ts';
import type { Scope } from '../../../../test/support/scope.ts';
import { until } from '../../../../test/support/until.ts';
import { Member } from '../../../src/cluster/member.ts';
import { SessionCache, sessionOf } from '../../../src/cluster/session-cache.ts';
import { Writer } from '../../../src/cluster/writer.ts';
import { PLAIN } from '../../../src/ledger/cipher.ts';
import type { Sql } from '../../../src/ledger/database.ts';
import type { SessionRow } from '../../../src/ledger/session-rows.ts';
import { createLogger } from '../../../src/log.ts';
import type { Push } from '../../../src/sessions/transitions.ts';
import { LEASE } from '../support/lease.ts';
import { startTables } from '../support/tables.ts';
import { median, type Proof, seconds } from './proof.ts';
import { endListeners } from './unnotified.ts';

const GATEWAYS = 2;
/** Pushes a second, of all gateways. */
const RATE = 2_000;
/** Milliseconds of each phase of a round. */
const TIME = 3_000;
const TICK = 5;
/** How long the gateways get no notifications, in milliseconds. */
const OUTAGE = 1_000;

/** Two gateways push as fast as five thousand phones at their worst: every panel hears each push in order. */
export const order: Proof = async (scope, { rounds, random, numeros }) => {
  const { url, sql } = await startTables(scope);
  const gateways = await Promise.all(Array.from({ length: GATEWAYS }, () => Speaker.join(scope, url)));
  for (const [index, gateway] of gateways.entries()) await gateway.own(sql, index * numeros, numeros);
  for (const gateway of gateways) await gateway.read();
  let told = 0;
  const delays: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = gateways.map(({ heard }) => heard.length);
    const count = await speak(gateways, random.integer(0, numeros));
    for (const [index, { heard }] of gateways.entries()) {
      await until(() => heard.length - (before[index] ?? 0) === count, 'every push at every gateway');
    }
    const outage = endListeners(sql, OUTAGE);
    told += count + (await speak(gateways, random.integer(0, numeros)));
    await outage;
    for (const gateway of gateways) {
      await until(
        async () => assert.deepEqual(gateway.list(), await listOf(sql)) ?? true,
        'the list of the table',
      );
    }
  }
  for (const { heard, list, lost } of gateways) {
    assert.deepEqual(lost, []);
    const last = new Map<string, number>();
    for (const { numero, count, delay } of heard) {
      assert.ok(count > (last.get(numero) ?? -1), `${numero}: ${count} after ${last.get(numero)}`);
      last.set(numero, count);
      delays.push(delay);
    }
    for (const { numero, state } of list()) assert.equal(countOf(state), last.get(numero), numero);
  }
  return `${told} pushes at ${RATE} a second, median ${median(delays).toFixed(0)} ms, in order, none lost but while nobody listened (${rounds} × ${seconds(OUTAGE)}), every list as the table`;
};

interface Heard {
  readonly numero: string;
  readonly count: number;
  /** Milliseconds since it was pushed. */
  readonly delay: number;
}

/** A gateway without phones, which says whatever it is told to. */
class Speaker {
  readonly heard: Heard[] = [];
  /** Sessions that turned out to be another gateway's. */
  readonly lost: string[] = [];
  readonly #cache = new SessionCache(
    () => this.#member.sql,
    (push) => this.#hear(push),
    createLogger('silent'),
  );
  readonly #member: Member;
  readonly #writer: Writer;
  #numeros: readonly string[] = [];
  #count = 0;

  private constructor(url: string) {
    const handlers = {
      sessions: () => this.#numeros.length,
      changed: () => {},
      opened: () => {},
      lost: () => assert.fail('the lease is over'),
    };
    const options = { database: url, lease: LEASE, capacity: undefined };
    this.#member = new Member(options, this.#cache, handlers, pino({ enabled: false }));
    this.#writer = new Writer(
      () => this.#member.membership,
      (numero) => this.lost.push(numero),
      (numeros) => this.#member.late(numeros),
      createLogger('silent'),
    );
  }

  static async join(scope: Scope, url: string): Promise<Speaker> {
    const speaker = new Speaker(url);
    scope.after(() => speaker.#member.leave());
    await speaker.#member.open({ name: 'simulated', cipher: PLAIN, seeds: [] });
    await speaker.#member.join('http://127.0.0.1:1');
    return speaker;
  }

  /** Creates sessions of its own. */
  async own(sql: Sql, first: number, count: number): Promise<void> {
    const { id } = this.#member;
    const numeros = Array.from({ length: count }, (_, index) => String(5_215_550_000_000 + first + index));
    const rows = await sql<SessionRow>`
      INSERT INTO session (id, numero, owner, state, waiting)
      SELECT n, n, ${id ?? ''}, '', true FROM unnest(${numeros}::text[]) AS n RETURNING *`;
    for (const { numero, place, version } of rows) {
      this.#writer.take(numero, { epoch: '0', place: Number(place), version: Number(version) });
    }
    this.#numeros = rows.map(({ numero }) => numero);
  }

  /** Learns of the sessions that nobody has told it of. */
  async read(): Promise<void> {
    await this.#cache.rows.readAll();
  }

  /** Pushes a change of the session in that place, modulo their number. */
  say(place: number): void {
    const numero = this.#numeros[place % this.#numeros.length] ?? assert.fail('no sessions');
    const state = `${this.#count++} ${performance.now()}`;
    const shown = { numero, state, waiting: true };
    this.#writer.publish({ numero, key: numero, shown }, { event: 'change_state', numero, state });
  }

  written(): Promise<void> {
    return this.#writer.written();
  }

  readonly list = (): WireSession[] => this.#cache.list();

  #hear(push: Push): void {
    // Precedes the first change of a session that this gateway did not know.
    if (push.event === 'created') return;
    const { numero } = push;
    assert.ok(push.event === 'change_state');
    // Nobody has said anything of it yet.
    if (push.state === '') return;
    const delay = performance.now() - Number(push.state.split(' ')[1]);
    this.heard.push({ numero, count: countOf(push.state), delay });
  }
}

/** Has all gateways push in turn; returns how often they did. */
async function speak(gateways: readonly Speaker[], first: number): Promise<number> {
  const begun = performance.now();
  let said = 0;
  while (performance.now() - begun < TIME) {
    const due = ((performance.now() - begun) * RATE) / 1_000;
    for (; said < due; said++) {
      gateways[said % gateways.length]?.say(first + Math.floor(said / gateways.length));
    }
    await wait(TICK);
  }
  for (const gateway of gateways) await gateway.written();
  return said;
}

async function listOf(sql: Sql): Promise<WireSession[]> {
  const rows = await sql<SessionRow>`SELECT * FROM session ORDER BY place`;
  return rows.map(sessionOf);
}

function countOf(state: string): number {
  return Number(state.split(' ')[0]);
}
