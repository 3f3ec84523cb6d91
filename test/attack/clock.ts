import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { built } from '../../gateway/test/support/built.ts';
import { address, complaints, type Run, run } from '../../gateway/test/support/command.ts';
import { call, listOf, message, sessionOf } from '../../gateway/test/support/gateway.ts';
import type { Scope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import type { Attack } from './attack.ts';
import { JumpyPage } from './clock/jumpy-page.ts';
import type { Random } from './random.ts';

const SHIFT = built('../test/attack/clock/shift');
/** Of the simulated phones: the first code lives six seconds, the others two. */
const SPEED = 10;
/** Clock jumps per round. */
const JUMPS = 4;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Just before daylight saving starts or ends, or a year or February ends. */
const MOMENTS = [
  ['America/New_York', '2026-03-08T06:59:58Z'],
  ['America/New_York', '2026-11-01T05:59:58Z'],
  ['Europe/Madrid', '2026-03-29T00:59:58Z'],
  ['Europe/Madrid', '2026-10-25T00:59:58Z'],
  ['Pacific/Kiritimati', '2026-12-31T09:59:58Z'],
  ['America/Mexico_City', '2028-02-29T05:59:58Z'],
  ['Asia/Kathmandu', '2026-06-01T12:00:00Z'],
] as const;
/** What no countdown and no time of day looks like. */
const ABSURD = /NaN|Invalid|undefined|-\d+ ?(s|min|h)\b|1970/;

class Bench {
  readonly #random: Random;
  readonly #gateway: Run;
  readonly #url: string;
  readonly #page: JumpyPage;
  readonly #numeros: readonly string[];
  jumps = 0;

  private constructor(
    random: Random,
    gateway: Run,
    url: string,
    page: JumpyPage,
    numeros: readonly string[],
  ) {
    this.#random = random;
    this.#gateway = gateway;
    this.#url = url;
    this.#page = page;
    this.#numeros = numeros;
  }

  static async begin(scope: Scope, random: Random): Promise<Bench> {
    const gateway = run(scope, ['--port', '0', '--sessions', '3', '--speed', `${SPEED}`], { imports: SHIFT });
    const url = await address(gateway);
    const [zone, moment] = random.pick(MOMENTS);
    const page = await JumpyPage.open(scope, url, Date.parse(moment), zone);
    const numeros = (await listOf({ url })).map(({ numero }) => numero);
    for (const numero of numeros) await until(() => page.card(numero), `the card of ${numero}`);
    return new Bench(random, gateway, url, page, numeros);
  }

  /** Starts something, makes a clock jump in the middle of it, and waits for its end. */
  async jump(): Promise<void> {
    const numero = this.#random.pick(this.#numeros);
    const kinds = [this.#renewed, this.#expired, this.#asleep, this.#sent, this.#cut, this.#stuck];
    await this.#random.pick(kinds).call(this, numero);
    this.jumps += 1;
    const text = await this.#page.text();
    assert.ok(!ABSURD.test(text), ABSURD.exec(text)?.[0]);
    assert.deepEqual(this.#page.thrown, []);
  }

  /** Asserts that a started session gets linked, and that the gateway logs nothing. */
  async end(): Promise<void> {
    for (const numero of this.#numeros) {
      await this.#start(numero);
      await this.#scanned(numero);
    }
    assert.deepEqual(this.#page.thrown, []);
    this.#gateway.child.kill('SIGTERM');
    assert.equal(await this.#gateway.ended, 0);
    assert.deepEqual(complaints(this.#gateway), []);
  }

  /** Asserts that codes keep coming: no valid one stays covered. */
  async #renewed(numero: string): Promise<void> {
    await this.#start(numero);
    await this.#shift();
    await this.#drawn(numero);
    await this.#scanned(numero);
  }

  /** Asserts that a code that the server forgets is covered once it has expired. */
  async #expired(numero: string): Promise<void> {
    await this.#phone(numero, 'fault', { fault: null });
    await this.#start(numero);
    await this.#phone(numero, 'fault', { fault: 'stale-code' });
    await this.#page.jump(this.#random.pick([-1, 1]) * this.#random.integer(4 * 60_000, 30 * DAY));
    await until(async () => !(await this.#page.card(numero))?.code, 'the code to be covered', 10_000);
    // The operator asks for another one, and gets it.
    const press = (name: string) => this.#page.press(numero, name);
    await until(async () => (await press('Generar otro')) || press('Levantar Sesión'), 'a button');
    await this.#drawn(numero);
    await this.#phone(numero, 'fault', { fault: null });
  }

  /** Asserts that a start without result is flagged, although the clock was set back. */
  async #stuck(numero: string): Promise<void> {
    await this.#phone(numero, 'unlink', {});
    await this.#phone(numero, 'fault', { fault: 'no-code' });
    await this.#press(numero);
    const says = async (text: string) => {
      const shown = (await this.#page.card(numero))?.text ?? '';
      assert.ok(shown.includes(text), shown);
      return true;
    };
    await until(() => says('El servidor está preparando el código'), 'the start');
    await this.#page.jump(-this.#random.integer(1, 48) * HOUR);
    await this.#page.jump(100_000);
    const isTold = () => until(() => says('El servidor no ha enviado el código'), 'the explanation', 10_000);
    await isTold().catch(async () => {
      // The panel's timeout restarts with the push after the first jump.
      await this.#page.jump(100_000);
      await isTold();
    });
    await this.#phone(numero, 'fault', { fault: null });
    await this.#start(numero);
  }

  /** The computer sleeps: nothing runs, but the clock goes on. */
  async #asleep(numero: string): Promise<void> {
    await this.#start(numero);
    const wake = await this.#page.freeze();
    await sleep(this.#random.integer(100, 800));
    await wake();
    await this.#page.jump(this.#random.integer(1, 72) * HOUR);
    await this.#drawn(numero);
    await this.#online();
  }

  async #sent(numero: string): Promise<void> {
    await this.#shift();
    const body = message(numero, [5_215_550_009_999]);
    const { status } = await call({ url: this.#url }, '/api/message', { method: 'POST', body });
    assert.ok(status < 500, `${status}`);
    await this.#online();
  }

  /** Starts and deletes the session while the clock jumps. */
  async #cut(numero: string): Promise<void> {
    await this.#page.press(numero, 'Levantar Sesión');
    await this.#shift();
    await call({ url: this.#url }, `/api/session/${numero}`, { method: 'DELETE' });
    await call({ url: this.#url }, `/api/session/levanta/${numero}`);
    await this.#online();
    // A session that was deleted elsewhere is listed again once it is added here.
    await this.#page.refresh();
    await this.#drawn(numero);
  }

  async #shift(): Promise<void> {
    const random = this.#random;
    const ms = random.pick([
      -random.integer(1, 48) * HOUR,
      random.integer(1, 60) * DAY,
      -random.integer(1, 5_000),
      random.integer(1, 5_000),
      365 * DAY,
    ]);
    const where = random.integer(0, 2);
    if (where < 2) await this.#page.jump(ms);
    if (where > 0) this.#gateway.child.stdin.write(`${ms}\n`);
  }

  async #start(numero: string): Promise<void> {
    await this.#phone(numero, 'unlink', {});
    await this.#press(numero);
    await this.#drawn(numero);
  }

  /** Starts it in the panel; resolves when the server has answered. */
  async #press(numero: string): Promise<void> {
    await until(() => this.#page.press(numero, 'Levantar Sesión'), 'the button');
    await until(async () => (await this.#page.card(numero))?.busy === false, 'the answer to a start');
  }

  async #drawn(numero: string): Promise<void> {
    await until(async () => {
      const card = await this.#page.card(numero);
      const said = async () => JSON.stringify(await listOf({ url: this.#url }));
      assert.ok(card?.code, card?.code ? '' : `${card?.text} where the gateway says ${await said()}`);
      return true;
    }, `a code of ${numero} on the screen`);
  }

  async #scanned(numero: string): Promise<void> {
    await until(async () => {
      const code = (await sessionOf({ url: this.#url }, numero))?.qrCode;
      const taken = code !== undefined && (await this.#phone(numero, 'scan', { code })) < 300;
      return taken || (await this.#page.card(numero))?.text.includes('CONNECTED');
    }, 'a code to be scanned');
    const linked = async () => (await this.#page.card(numero))?.text.includes('CONNECTED');
    await until(linked, `${numero} to be linked`);
  }

  async #online(): Promise<void> {
    await until(() => this.#page.online(), 'the panel to hear the server');
  }

  async #phone(numero: string, action: string, body: object): Promise<number> {
    const path = `/simulator/phones/${numero}/${action}`;
    return (await call({ url: this.#url }, path, { method: 'POST', body })).status;
  }
}

export const clock: Attack = {
  name: 'clock',
  promise: 'clock jumps and sleeping computers leave no expired code uncovered, and nothing stuck',
  async round(scope, random) {
    const bench = await Bench.begin(scope, random);
    for (let count = 0; count < JUMPS; count += 1) await bench.jump();
    await bench.end();
    return { jumps: bench.jumps };
  },
};
