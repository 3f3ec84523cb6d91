import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { PHONE_FAULTS, REPORTED_STATES } from '../../gateway/src/engines/simulated/faults.ts';
import { address, type Run, run } from '../../gateway/test/support/command.ts';
import { type Answer, call, message } from '../../gateway/test/support/gateway.ts';
import type { WireSession } from '../../src/wire.ts';
import { slope } from '../bench/statistics.ts';
import type { Scope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import type { Attack } from './attack.ts';
import { GAUGE, type Gauge, readGauge } from './inside/read-gauge.ts';
import type { Random } from './random.ts';
import { Panel } from './soak/panel.ts';

/** Initial sessions; as many can be added. */
const SESSIONS = 15;
const NUMEROS = Array.from({ length: SESSIONS }, (_, index) => `52155500${10_000 + index}`);
const PANELS = 5;
/** Milliseconds between two actions: together with the panels' lists below the rate limit of one address. */
const PAUSE = 20;
/** Duration of one storm, in milliseconds. */
const STORM = 1_500;
/** Longest silence of the simulated phones before another event, in their milliseconds. */
const SILENCE = 150_000;
/** Shortest round that shows memory growth, and the longest, in milliseconds. */
const TO_JUDGE = 3 * 60_000;
const LONGEST = 9 * 60_000;
/** Allowed growth of memory in use, in bytes per minute. */
const MOST_GROWTH = 500_000;

/** A separate gateway process, with operators at its panels and owners of its phones. */
class Office {
  readonly #random: Random;
  readonly #speed: number;
  readonly #gateway: Run;
  #url = '';
  #panels: Panel[] = [];
  actions = 0;

  constructor(scope: Scope, random: Random) {
    this.#random = random;
    this.#speed = random.pick([300, 1_000, 3_000]);
    const options = ['--port', '0', '--sessions', `${SESSIONS}`, '--speed', `${this.#speed}`];
    this.#gateway = run(scope, options, { imports: GAUGE });
    scope.after(() => this.leave());
  }

  async begin(): Promise<void> {
    this.#url = await address(this.#gateway);
  }

  gauge(): Promise<Gauge> {
    return readGauge(this.#gateway);
  }

  leave(): void {
    for (const panel of this.#panels.splice(0)) panel.close();
  }

  async storm(): Promise<void> {
    const actions = [
      ...[this.#start, this.#start, this.#start, this.#scan, this.#scan, this.#scan, this.#scan],
      ...[this.#delete, this.#send, this.#send, this.#act, this.#fault, this.#report, this.#report],
      ...[this.#join, this.#leave, this.#cut],
    ];
    const end = performance.now() + STORM;
    const underWay = new Set<Promise<unknown>>();
    while (performance.now() < end) {
      // Long requests are not awaited.
      const action = this.#random.pick(actions).call(this, this.#numero());
      underWay.add(action);
      action.finally(() => underWay.delete(action)).catch(() => {});
      this.actions += 1;
      await sleep(PAUSE);
    }
    await Promise.all(underWay);
  }

  /** Waits until the phones are silent; then asserts that every panel agrees with the list. */
  async check(): Promise<void> {
    if (this.#panels.length === 0) await this.#join();
    const list = await this.#quietList();
    const panels = [...this.#panels.entries()];
    await until(() => {
      const wrong = panels.flatMap(([index, panel]) =>
        panel.disagreements(list).map((text) => `panel ${index}, ${text}`),
      );
      assert.deepEqual(wrong, []);
      return true;
    }, 'the panels to agree with the list');
  }

  async #quietList(): Promise<WireSession[]> {
    const silence = Math.max(300, SILENCE / this.#speed);
    let last = '';
    for (;;) {
      const list = (await this.#call('/api/session/sessions')).body as WireSession[];
      if (JSON.stringify(list) === last) return list;
      last = JSON.stringify(list);
      await sleep(silence);
    }
  }

  /** Closes all panels and deletes all sessions; resolves with the process's resource usage. */
  async end(): Promise<Gauge> {
    this.leave();
    for (const { numero } of await this.#quietList()) {
      await this.#call(`/api/session/${numero}`, { method: 'DELETE' });
    }
    assert.deepEqual(await this.#quietList(), []);
    return this.gauge();
  }

  /** Asserts a clean exit, without any log output. */
  async close(): Promise<void> {
    this.#gateway.child.kill('SIGTERM');
    assert.equal(await this.#gateway.ended, 0);
    assert.equal(this.#gateway.output.stderr.replace(/^\{.*\}\n/gm, ''), '');
  }

  get speed(): number {
    return this.#speed;
  }

  #numero(): string {
    return this.#random.pick(NUMEROS);
  }

  async #start(numero: string): Promise<void> {
    await this.#call(`/api/session/levanta/${numero}`);
  }

  async #delete(numero: string): Promise<void> {
    await this.#call(`/api/session/${numero}`, { method: 'DELETE' });
  }

  async #send(numero: string): Promise<void> {
    const to = Number(this.#numero()) + this.#random.integer(0, 300);
    await this.#call('/api/message', { method: 'POST', body: message(numero, [to]) });
  }

  async #scan(numero: string): Promise<void> {
    const sessions = (await this.#call('/api/session/sessions')).body as WireSession[];
    const code = sessions.find((session) => session.numero === numero)?.qrCode;
    if (code !== undefined) await this.#phone(numero, 'scan', { code });
  }

  async #act(numero: string): Promise<void> {
    await this.#phone(numero, this.#random.pick(['unlink', 'lose-line', 'recover-line']), {});
  }

  async #fault(numero: string): Promise<void> {
    await this.#phone(numero, 'fault', { fault: this.#random.pick([...PHONE_FAULTS, null, null, null]) });
  }

  async #report(numero: string): Promise<void> {
    await this.#phone(numero, 'state', { state: this.#random.pick(REPORTED_STATES) });
  }

  async #join(): Promise<void> {
    if (this.#panels.length >= PANELS) return;
    const transports = this.#random.pick([['polling', 'websocket'], ['websocket'], ['polling']]);
    this.#panels.push(new Panel(this.#url, transports));
  }

  async #leave(): Promise<void> {
    this.#panels.splice(this.#random.integer(0, PANELS), 1)[0]?.close();
  }

  async #cut(): Promise<void> {
    this.#panels[this.#random.integer(0, PANELS)]?.cut();
  }

  #phone(numero: string, action: string, body: object): Promise<Answer> {
    return this.#call(`/simulator/phones/${numero}/${action}`, { method: 'POST', body });
  }

  async #call(path: string, init?: Parameters<typeof call>[2]): Promise<Answer> {
    // No connection may outlast its call: they are counted at the end.
    const answer = await call({ url: this.#url }, path, { ...init, headers: { Connection: 'close' } });
    // 502 to 504 come from the phones' faults.
    assert.ok(answer.status < 500 || answer.status > 501, `${path}: ${JSON.stringify(answer.body)}`);
    return answer;
  }
}

export const soak: Attack = {
  name: 'soak',
  promise: 'after simulated hours of everything, panels agree with the list, and nothing leaks',
  async round(scope, random, time) {
    const office = new Office(scope, random);
    await office.begin();
    const before = await office.gauge();
    const start = performance.now();
    const passed = () => performance.now() - start;
    const length = Math.min(time, LONGEST);
    const used: number[] = [];
    while (passed() < length || used.length < 2) {
      await office.storm();
      await office.check();
      used.push((await office.gauge()).used);
    }
    const growth = growthOf(used, passed());
    const hours = (passed() * office.speed) / 3_600_000;
    const after = await office.end();
    assert.ok(after.sockets <= before.sockets, `${before.sockets} connections became ${after.sockets}`);
    assert.ok(after.timers <= before.timers, `${before.timers} timers became ${after.timers}`);
    if (length >= TO_JUDGE) assert.ok(growth < MOST_GROWTH, `the memory grows by ${growth} bytes a minute`);
    await office.close();
    const figures = { actions: office.actions, 'simulated hours': Math.round(hours) };
    return length < TO_JUDGE ? figures : { ...figures, 'bytes more a minute': Math.round(growth) };
  },
};

/** Returns the growth of memory in use, in bytes per minute, by least squares over the last two thirds. */
function growthOf(used: readonly number[], time: number): number {
  const minutesEach = time / 60_000 / used.length;
  return slope(used.slice(Math.ceil(used.length / 3))) / minutesEach;
}
