import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { STATES } from '../../src/wire.ts';
import type { Scope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import type { Attack } from './attack.ts';
import { Host } from './inputs/host.ts';
import { Victim } from './inputs/victim.ts';

/** Milliseconds for which the page may not answer: a promise of one second, on a slow machine that others use too. */
const LONGEST_PAUSE = 4_000;

/** How often a state is pushed before the list is asked for again, and milliseconds between two times. */
const TRIES = 20;
const PAUSE = 100;

const numero = (index: number) => String(5215550000000 + index);
const listOf = (length: number, more: (index: number) => object = () => ({})) =>
  Array.from({ length }, (_, index) => ({
    numero: numero(index),
    state: STATES.connected,
    waiting: false,
    ...more(index),
  }));
const MANY = listOf(3_000);
const LONG = 'palabra '.repeat(1_000);

const packets = (packet: (index: number) => string, count: number) =>
  Array.from({ length: count }, (_, index) => packet(index)).join('\x1e');
/** A packet of Engine.IO with a packet of Socket.IO in it. */
const event = (...args: unknown[]) => `42${JSON.stringify(args)}`;

/** What comes at once over the live connection. */
const TEXTS: Readonly<Record<string, () => string>> = {
  // More would measure the browser's driver, which is told of each frame, and reads each separator as six characters.
  'millions of pings': () => packets(() => '2', 2_000_000),
  'events of no name': () => packets(() => '42["a"]', 1_200_000),
  'states of all, many times': () =>
    packets((index) => event('session:change_state', numero(index % 3_000), `S${index}`), 100_000),
  'a nested event': () => `42["a",${'['.repeat(990_000)}${']'.repeat(990_000)}]`,
  'an event with a name that has no end': () => event(`session:qr:${'x'.repeat(1_900_000)}`, 'x'),
  'extensions by the million': () => event('server:extensions', { extensions: Array(650_000).fill('') }),
};
/** What the list is. */
const LISTS: Readonly<Record<string, () => string>> = {
  'a list of empty items': () => `[${'{},'.repeat(1_300_000)}{}]`,
  'a nested list': () => '['.repeat(1_900_000) + ']'.repeat(1_900_000),
  'more sessions than there are': () => JSON.stringify(listOf(100_000)),
  'a list that is one long text': () => JSON.stringify([{ numero: '1', state: 'x'.repeat(50_000_000) }]),
  'a group for each session': () =>
    JSON.stringify(listOf(5_000, (index) => ({ group: `G${index}`, label: 'L' }))),
};
/** What is pushed about each session. */
const PUSHES: Readonly<Record<string, (index: number) => [name: string, payload: unknown]>> = {
  'codes of all': (index) => [`session:qr:${numero(index)}`, `2@${'A'.repeat(2_900)}`],
  'details of all': (index) => [
    `session:details:${numero(index)}`,
    {
      label: LONG,
      group: `G${index}`,
      name: LONG,
      reason: { code: LONG, text: LONG },
      link: { id: 'a1', expires: 1e15 },
    },
  ],
  'logins of all': (index) => [`session:authenticated:${numero(index)}`, null],
  'acks of all': (index) => [
    'message:ack',
    { id: LONG, remitente: numero(index), contacto: 1, status: 'read' },
  ],
  // Each that comes costs as much as there are: thousands are shown within minutes, while the page answers.
  'sessions that come': (index) => [
    'session:created',
    { numero: `9${index % 100}`, state: LONG, qrCode: LONG },
  ],
  'sessions that go': (index) => ['session:deleted', { numero: numero(index) }],
  'ends of unknown ones': (index) => [`session:disconnected:8${index}`, null],
};

class Scene {
  readonly #host: Host;
  readonly #victim: Victim;
  #what = 'the start';

  private constructor(host: Host, victim: Victim) {
    this.#host = host;
    this.#victim = victim;
  }

  static async open(scope: Scope): Promise<Scene> {
    const host = await Host.open(scope, MANY);
    const victim = await Victim.open(scope, host.origin);
    await victim.load();
    const scene = new Scene(host, victim);
    await scene.#calm();
    // Cards come step by step.
    await until(async () => (await victim.numeros()).length === MANY.length, 'all cards', 120_000);
    return scene;
  }

  /** Asserts that the page answers while something comes, and shows what comes after it. */
  async bears(what: string, comes: () => Promise<unknown> | unknown): Promise<void> {
    this.#what = what;
    const pause = await this.#victim.longestPause(async () => {
      await comes();
      await this.#calm();
    });
    assert.ok(pause < LONGEST_PAUSE, `${what}: no answer for ${Math.round(pause)} ms`);
    await this.#victim.check();
  }

  async text(text: string): Promise<void> {
    await until(() => this.#host.send(text) > 0, 'a WebSocket');
  }

  async list(list: string): Promise<void> {
    this.#host.list = list;
    await this.#victim.refresh();
  }

  pushes(push: (index: number) => [string, unknown]): void {
    this.#host.push('server:extensions', { extensions: ['presence', 'details', 'ack'] });
    for (let index = 0; index < MANY.length; index += 1) this.#host.push(...push(index));
  }

  /** Resolves when the panel has the sound list, and hears the server again. */
  async #calm(): Promise<void> {
    this.#host.list = MANY;
    const first = numero(0);
    await this.#shows(first, 'EN CALMA');
    await this.#shows(first, STATES.connected);
  }

  /** Resolves when the panel shows a state that is pushed. What came before may still take the session off the list. */
  async #shows(session: string, state: string): Promise<void> {
    await until(async () => {
      await this.#victim.refresh();
      for (let time = 0; time < TRIES; time += 1) {
        this.#host.push('session:change_state', { numero: session, state });
        if ((await this.#victim.stateOf(session)) === state) return true;
        await wait(PAUSE);
      }
      return false;
    }, `${state} after ${this.#what}`);
  }
}

export const sizes: Attack = {
  name: 'sizes',
  promise: 'whatever a server sends, however much of it, the page answers',
  async round(scope) {
    const scene = await Scene.open(scope);
    const kinds = [
      ...Object.entries(TEXTS).map(
        ([what, text]) =>
          () =>
            scene.bears(what, () => scene.text(text())),
      ),
      ...Object.entries(LISTS).map(
        ([what, list]) =>
          () =>
            scene.bears(what, () => scene.list(list())),
      ),
      ...Object.entries(PUSHES).map(
        ([what, push]) =>
          () =>
            scene.bears(what, () => scene.pushes(push)),
      ),
    ];
    for (const kind of kinds) await kind();
    return { sizes: kinds.length };
  },
};
