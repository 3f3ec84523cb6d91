import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { STATES, type WireSession } from '../../src/wire.ts';
import { address, run } from '../gateway/support/command.ts';
import { type Answer, call, message } from '../gateway/support/gateway.ts';
import type { Scope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { type FakeWhatsapp, startFakeWhatsapp } from '../whatsapp/fake/whatsapp.ts';
import type { Attack } from './attack.ts';
import type { Random } from './random.ts';

/** How often the gateway is killed in a round. */
const KILLS = 2;
/** Longest life of a gateway after its list was found right, in milliseconds. */
const LIFE = 2_500;
const NUMEROS = ['5215550001111', '34600000001', '5491150000001'];
const RECIPIENT = 34700000000;

/** What the list must say of a numero: `maybe` while the answer to a request about it was not heard. */
type Expected = 'absent' | 'listed' | 'maybe';

/** The gateway as a process of its own, and what it should remember. */
class Victim {
  readonly whatsapp: FakeWhatsapp;
  readonly #scope: Scope;
  readonly #random: Random;
  readonly #folder: string;
  readonly #expected = new Map<string, Expected>(NUMEROS.map((numero) => [numero, 'absent']));
  #url = '';
  #alive = false;
  #kill = async () => {};

  constructor(scope: Scope, random: Random, whatsapp: FakeWhatsapp, folder: string) {
    this.#scope = scope;
    this.#random = random;
    this.whatsapp = whatsapp;
    this.#folder = folder;
  }

  async start(): Promise<void> {
    const options = ['--engine', 'whatsapp', '--data', this.#folder, '--whatsapp-url', this.whatsapp.url];
    const gateway = run(this.#scope, ['--port', '0', ...options]);
    this.#kill = async () => {
      this.#alive = false;
      gateway.child.kill('SIGKILL');
      await gateway.ended;
      assert.match(gateway.output.stdout, /^http:\S+ \(Ctrl-C stops it\)\n$/);
      assert.equal(gateway.output.stderr, '');
    };
    this.#url = await address(gateway);
    this.#alive = true;
  }

  kill(): Promise<void> {
    return this.#kill();
  }

  /** The list is right, and every linked session is there again without a code. */
  async check(): Promise<void> {
    const { registrations } = this.whatsapp;
    const listed = new Set((await this.#list()).map(({ numero }) => numero));
    for (const [numero, expected] of this.#expected) {
      if (expected !== 'maybe') assert.equal(listed.has(numero), expected === 'listed', numero);
      this.#expected.set(numero, listed.has(numero) ? 'listed' : 'absent');
      const linked = this.whatsapp.phone(numero).devices.length > 0;
      if (listed.has(numero) && linked) await this.#state(numero, STATES.connected);
      // What was deleted is unlinked too, by the next gateway if need be.
      if (!listed.has(numero))
        await until(() => !this.whatsapp.phone(numero).devices.length, `${numero} gone`);
    }
    assert.equal(this.whatsapp.registrations, registrations);
  }

  /** Goes on until the gateway is killed. */
  async live(): Promise<void> {
    const actions = [this.#delete, this.#levanta, this.#cut, this.#send, this.#send];
    while (this.#alive) {
      const numero = this.#random.pick(NUMEROS);
      const phone = this.whatsapp.phone(numero);
      if (phone.devices.length === 0) await this.#link(numero);
      else await this.#random.pick(actions).call(this, numero);
    }
  }

  async #link(numero: string): Promise<void> {
    await this.#levanta(numero);
    const code = await this.#until(async () => (await this.#session(numero))?.qrCode, 'a code');
    await this.whatsapp.phone(numero).scan(code);
    await this.#state(numero, STATES.connected);
  }

  async #levanta(numero: string): Promise<void> {
    if (this.#expected.get(numero) === 'absent') this.#expected.set(numero, 'maybe');
    await this.#call(`/api/session/levanta/${numero}`);
    this.#expected.set(numero, 'listed');
  }

  async #send(numero: string): Promise<void> {
    await this.#call('/api/message', { method: 'POST', body: message(numero, [RECIPIENT]) });
  }

  async #cut(numero: string): Promise<void> {
    this.whatsapp.phone(numero).cutLine();
  }

  async #delete(numero: string): Promise<void> {
    this.#expected.set(numero, 'maybe');
    await this.#call(`/api/session/${numero}`, { method: 'DELETE' });
    this.#expected.set(numero, 'absent');
  }

  async #state(numero: string, state: string): Promise<void> {
    const there = async () => (await this.#session(numero))?.state === state;
    await this.#until(there, `${numero} ${state}`);
  }

  /** As `until`, and rejects when the gateway is killed. */
  async #until<T>(condition: () => Promise<T>, expectation: string): Promise<NonNullable<T>> {
    const dead = Symbol('dead');
    const result = await until(async () => (this.#alive ? condition() : dead), expectation);
    return result === dead ? assert.fail('killed') : result;
  }

  async #session(numero: string): Promise<WireSession | undefined> {
    return (await this.#list()).find((session) => session.numero === numero);
  }

  async #list(): Promise<WireSession[]> {
    return (await this.#call('/api/session/sessions')).body as WireSession[];
  }

  #call(...[path, init]: [path: string, init?: Parameters<typeof call>[2]]): Promise<Answer> {
    return call({ url: this.#url }, path, init);
  }
}

export const kills: Attack = {
  name: 'kills',
  promise: 'a gateway that is killed at any moment loses no linked session',
  async round(scope, random) {
    const folder = mkdtempSync(join(tmpdir(), 'wo-'));
    const whatsapp = await startFakeWhatsapp();
    const victim = new Victim(scope, random, whatsapp, folder);
    scope.after(async () => {
      await whatsapp.close();
      rmSync(folder, { recursive: true, force: true });
    });
    await victim.start();
    for (let kill = 1; kill <= KILLS; kill++) {
      const life = victim.live().catch(() => {});
      await sleep(random.next() * LIFE);
      await victim.kill();
      await life;
      await victim.start();
      await victim.check();
    }
    await victim.kill();
    assert.deepEqual(whatsapp.phone(String(RECIPIENT)).failures, []);
    return { kills: KILLS };
  },
};
