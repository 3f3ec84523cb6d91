import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../../../gateway/test/stand-ins/faults.ts';
import { call, itemOf } from '../../../gateway/test/support/gateway.ts';
import type { StandIn } from '../../../gateway/test/support/stand-in.ts';
import { rowsIn } from '../../../gateway/test/whatsapp/support/stored-rows.ts';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../support/until.ts';
import type { Random } from '../random.ts';

/** How long it may take until a crowd is listed, in milliseconds. */
const LONG = 90_000;

/** A session that is linked all the time, one that waits for a phone, and the phone that it must not take. */
export const LINKED = '34600000001';
export const WAITING = '34600000002';
const WRONG = '34600000003';
/** One that is taken off the list. */
const LEAVING = '34600000004';
/** In what is known of it. */
const SECRET = 'La de Ana';
/** The first of the numbers of a crowd. */
const CROWD = 34_600_200_000;

const FAULTS: readonly Fault['as'][] = ['html', 'half', 'cut', 'endless', { status: 500 }, { status: 401 }];
/** The requests for the list of sessions. */
const LISTS = ['GET /api/sessions', 'GET /instance/fetchInstances'];

/** What a hostile or broken server, and whoever has its sessions, does to a gateway. */
export class Scene {
  readonly #random: Random;
  readonly #standIn: StandIn;
  readonly #url: string;
  readonly #folder: string;

  /** @param folder where the gateway keeps what it knows of the sessions */
  constructor(random: Random, standIn: StandIn, url: string, folder: string) {
    this.#random = random;
    this.#standIn = standIn;
    this.#url = url;
    this.#folder = folder;
  }

  get harms(): (() => Promise<void>)[] {
    return [
      this.pings,
      this.nestedEvents,
      this.crowd,
      this.oddCodes,
      this.wrongPhone,
      this.lateDigits,
      this.pairings,
      this.deletion,
      this.badAnswers,
      this.hugeLists,
    ];
  }

  async pings(): Promise<void> {
    await this.#standIn.command({ do: 'ping', times: this.#random.integer(1_000, 500_000) });
  }

  async nestedEvents(): Promise<void> {
    await this.#standIn.command({ do: 'sendNested', times: this.#random.integer(1, 20) });
  }

  async crowd(): Promise<void> {
    const count = this.#random.integer(100, 4_000);
    await this.#standIn.command({ do: 'crowd', first: CROWD, count });
    await until(() => this.#item(String(CROWD)), 'the first of the crowd', LONG);
  }

  async oddCodes(): Promise<void> {
    const odd = ['\0', '\u2028', 'ñ', '', 'a'.repeat(2_954), 'a'.repeat(500_000)];
    for (let times = 0; times < 20; times++) {
      const code = `2@a${this.#random.pick(odd)}${this.#random.bytes(3).toString('latin1')}`;
      await this.#standIn.command({ do: 'showCode', name: WAITING, code });
      await sleep(this.#random.integer(0, 50));
    }
  }

  async wrongPhone(): Promise<void> {
    await until(
      async () => {
        const code = await this.#code();
        if (code !== undefined) await this.#standIn.command({ do: 'scan', phone: WRONG, code });
        return code;
      },
      'a code that can be scanned',
      LONG,
    );
    const isLinked = async () => (await this.#standIn.sessions()).some(({ phone }) => phone === WRONG);
    for (const end = performance.now() + LONG; await isLinked(); ) {
      assert.notEqual((await this.#item(WAITING)).state, STATES.connected);
      assert.ok(performance.now() < end, 'the wrong phone stays linked');
    }
    await this.levanta();
  }

  /** The list alone tells whose phone was linked. */
  async lateDigits(): Promise<void> {
    await this.#standIn.command({ do: 'hideOwners', hidden: true });
    await this.wrongPhone();
    await this.#standIn.command({ do: 'hideOwners', hidden: false });
  }

  /** Many who ask at once get one code to type. */
  async pairings(): Promise<void> {
    await until(() => this.#code(), 'a code', LONG);
    const ask = () => this.#call(`${WAITING}/pairing`, { method: 'POST' });
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    const codes = answers.flatMap(({ status, body }) => (status === 200 ? [Object(body).code] : []));
    assert.ok(new Set(codes).size <= 1, `${codes}`);
  }

  /** Of a session that was taken off the list, names, history and links are gone. */
  async deletion(): Promise<void> {
    const add = async () => (await this.#call(`levanta/${LEAVING}`)).status === 200;
    await until(add, 'it to be added', LONG);
    const naming = { label: `${SECRET} A`, group: `${SECRET} B` };
    const named = await this.#call(`${LEAVING}/details`, { method: 'PUT', body: naming });
    assert.equal(named.status, 200);
    const { body: link } = await this.#call(`${LEAVING}/link`, { method: 'POST' });
    const [, token = ''] = String(Object(link).url).split('#');
    assert.equal((await this.#call(LEAVING, { method: 'DELETE' })).status, 200);
    const its = `session = (SELECT id FROM session WHERE numero = '${LEAVING}')`;
    assert.equal(rowsIn(this.#folder, 'archive', its), 0);
    await this.#call(`levanta/${LEAVING}`);
    const { label, group, link: kept } = await until(() => itemOf({ url: this.#url }, LEAVING), 'it', LONG);
    assert.deepEqual([label, group, kept], [undefined, undefined, undefined]);
    const headers = { Authorization: `Bearer ${token}` };
    const opened = await call({ url: this.#url }, '/l/api/start', { method: 'POST', headers });
    assert.equal(opened.status, 401);
    const { body: history } = await this.#call(`${LEAVING}/history`);
    assert.doesNotMatch(JSON.stringify(history), /link_created/);
  }

  async badAnswers(): Promise<void> {
    const of = this.#random.pick(['GET /', 'POST /', 'DELETE /']);
    await this.#standIn.command({ do: 'faults', faults: [{ of, as: this.#random.pick(FAULTS) }] });
    await sleep(this.#random.integer(500, 3_500));
    await this.levanta();
    await this.#standIn.command({ do: 'faults', faults: [] });
  }

  async hugeLists(): Promise<void> {
    for (const as of ['nested', 'many'] as const) {
      await this.#standIn.command({ do: 'faults', faults: LISTS.map((of) => ({ of, as })) });
      await this.levanta();
      await sleep(this.#random.integer(500, 2_000));
    }
    await this.#standIn.command({ do: 'faults', faults: [] });
  }

  /** Asks for a code, which may be refused. */
  async levanta(): Promise<void> {
    await this.#call(`levanta/${WAITING}`);
  }

  /** Asserts that the sessions are as they are there. */
  async recovers(): Promise<void> {
    await until(
      async () => (await this.#item(LINKED)).state === STATES.connected,
      'it to be connected',
      LONG,
    );
    await until(() => this.#code(), 'a code', LONG);
    assert.equal(await itemOf({ url: this.#url }, WRONG), undefined);
  }

  /** Returns the code that is shown; asks for one if none is about to come. */
  async #code(): Promise<string | undefined> {
    const { qrCode, waiting } = await this.#item(WAITING);
    if (qrCode === undefined && !waiting) await this.levanta();
    return qrCode;
  }

  #call(path: string, options: Parameters<typeof call>[2] = {}) {
    return call({ url: this.#url }, `/api/session/${path}`, options);
  }

  async #item(numero: string) {
    // Calls of one address have a limit.
    await sleep(100);
    return (await itemOf({ url: this.#url }, numero)) ?? assert.fail(`${numero} is not listed`);
  }
}
