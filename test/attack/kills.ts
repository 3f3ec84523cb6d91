import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { complaints } from '../../gateway/test/support/command.ts';
import { GatewayProcess } from '../../gateway/test/support/gateway-process.ts';
import type { FakeWhatsapp } from '../../gateway/test/whatsapp/fake/whatsapp.ts';
import { killedAt, layOut, onFolder, type Place } from '../../gateway/test/whatsapp/support/layout.ts';
import type { Scope } from '../support/scope.ts';
import type { Attack } from './attack.ts';
import { Operator } from './operator.ts';
import type { Random } from './random.ts';

/** Longest life of a gateway after its list was found correct, in milliseconds. */
const LIFE = 2_000;
/** Statements at which a gateway is killed while it shuts down. */
const ENDS = ['journal_mode = DELETE', 'BEGIN IMMEDIATE', 'ROLLBACK'];

/** A gateway that is killed again and again, and its operator. */
class Scene {
  readonly #scope: Scope;
  readonly #random: Random;
  readonly #whatsapp: FakeWhatsapp;
  readonly #folder: string;
  readonly operator: Operator;
  kills = 0;

  constructor(scope: Scope, random: Random, whatsapp: FakeWhatsapp, folder: string) {
    this.#scope = scope;
    this.#random = random;
    this.#whatsapp = whatsapp;
    this.#folder = folder;
    this.operator = new Operator(random, whatsapp, folder);
  }

  /** Starts a gateway, asserts that it finds everything as it was, and has it killed at the statement, if reached. */
  async start(place?: Place): Promise<void> {
    const gateway = this.#gateway(place);
    this.operator.use(await gateway.listens());
    await this.operator.whileAlive(() => this.operator.check());
  }

  /** Kills at any moment. */
  killAnywhere(): Promise<void> {
    return this.#cutLife((gateway) => gateway.kill());
  }

  /** Kills during a shutdown. */
  killAtEnd(): Promise<void> {
    return this.#cutLife((gateway) => gateway.stop(), { at: this.#random.pick(ENDS) });
  }

  async #cutLife(end: (gateway: GatewayProcess) => Promise<void>, place?: Place): Promise<void> {
    await this.start(place);
    const life = this.operator.live();
    await sleep(this.#random.next() * LIFE);
    await end(this.operator.gateway);
    await life;
    await this.#killed();
  }

  #gateway(place?: Place): GatewayProcess {
    return new GatewayProcess(this.#scope, onFolder(this.#folder, this.#whatsapp), place && killedAt(place));
  }

  async #killed(): Promise<void> {
    const { run } = this.operator.gateway;
    const { child, output, ended } = run;
    await ended;
    assert.equal(child.signalCode, 'SIGKILL');
    assert.match(output.stdout, /^(http:\S+ \(Ctrl-C stops it\)\n)?$/);
    assert.deepEqual(complaints(run), []);
    this.kills += 1;
  }
}

export const kills: Attack = {
  name: 'kills',
  promise: 'a gateway killed at any moment loses no linked session, and leaves nothing of a deleted one',
  async round(scope, random, time) {
    const { folder, whatsapp } = await layOut(scope);
    const scene = new Scene(scope, random, whatsapp, folder);
    const ways = [scene.killAnywhere, scene.killAtEnd];
    await scene.killAnywhere();
    if (time > 0) for (let more = 0; more < 4; more++) await random.pick(ways).call(scene);
    await scene.start();
    await scene.operator.deleteAll();
    scene.operator.checkMessages();
    await scene.operator.gateway.kill();
    return { kills: scene.kills, 'deletions searched for': scene.operator.deletions };
  },
};
