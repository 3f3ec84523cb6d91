import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../../gateway/test/support/gateway.ts';
import type { GatewayProcess } from '../../gateway/test/support/gateway-process.ts';
import type { FakeWhatsapp } from '../../gateway/test/whatsapp/fake/whatsapp.ts';
import { tracesOf } from '../../gateway/test/whatsapp/support/stored-rows.ts';
import { STATES, type WireSession } from '../../src/wire.ts';
import { until } from '../support/until.ts';
import type { Random } from './random.ts';

export const NUMEROS = ['5215550001111', '34600000001', '5491150000001'] as const;
const RECIPIENT = '34700000000';
/** Returned instead of what was waited for. */
const ENDED = 'ended';

/** What the list must show for a numero: `maybe` after a request without an answer, or that failed. */
type Expected = 'absent' | 'listed' | 'maybe';

/** An operator who uses a gateway under attack, and checks that it keeps its answers. */
export class Operator {
  readonly #random: Random;
  readonly #whatsapp: FakeWhatsapp;
  readonly #folder: string;
  readonly #expected = new Map<string, Expected>(NUMEROS.map((numero) => [numero, 'absent']));
  readonly #gateways: GatewayProcess[] = [];
  /** Successful deletions; after each one the files were searched. */
  deletions = 0;
  /** Answers that blamed the disk. */
  refusals = 0;

  constructor(random: Random, whatsapp: FakeWhatsapp, folder: string) {
    this.#random = random;
    this.#whatsapp = whatsapp;
    this.#folder = folder;
  }

  get gateway(): GatewayProcess {
    return this.#gateways.at(-1) ?? assert.fail('There is no gateway');
  }

  use(gateway: GatewayProcess): void {
    this.#gateways.push(gateway);
  }

  /** Acts until the gateway has ended. Rejects with what failed before. */
  live(): Promise<void> {
    return this.whileAlive(async () => {
      while (this.gateway.isAlive) await this.act();
    });
  }

  /** Runs a task, which the end of the gateway may interrupt. Rejects with what failed before. */
  async whileAlive(task: () => Promise<void>): Promise<void> {
    const { gateway } = this;
    try {
      await task();
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      // Requests fail a moment before the end is noticed.
      await Promise.race([gateway.run.ended, sleep(5_000)]);
      if (gateway.isAlive) throw error;
    }
  }

  /** Acts on one of the sessions. */
  async act(): Promise<void> {
    const numero = this.#random.pick(NUMEROS);
    if (this.#whatsapp.phone(numero).devices.length === 0) {
      // A session that is not linked can be deleted as well.
      if (this.#random.chance(0.2)) await this.delete(numero);
      else await this.link(numero);
      return;
    }
    const send = () => this.#send(numero);
    const cut = () => this.#whatsapp.phone(numero).cutLine();
    await this.#random.pick([() => this.delete(numero), () => this.levanta(numero), cut, send, send])();
  }

  /** Links a session, if the disk allows it. */
  async link(numero: string): Promise<void> {
    if ((await this.levanta(numero)) !== 200) return;
    const code = await this.#watch(numero, ({ qrCode }) => qrCode);
    if (code === ENDED) return;
    await this.#whatsapp
      .phone(numero)
      .scan(code)
      .catch(() => {});
    const connected = this.#watch(
      numero,
      ({ state }) => (state === STATES.connected ? state : undefined),
      5_000,
    );
    await connected.catch(() => {});
  }

  async levanta(numero: string): Promise<number> {
    if (this.#expected.get(numero) === 'absent') this.#expected.set(numero, 'maybe');
    const status = this.#judge(await this.gateway.levanta(numero), [200]);
    if (status === 200) this.#expected.set(numero, 'listed');
    return status;
  }

  async delete(numero: string): Promise<void> {
    this.#expected.set(numero, 'maybe');
    const status = this.#judge(await this.gateway.delete(numero), [204, 404]);
    if (status !== 204) return;
    this.#expected.set(numero, 'absent');
    this.deletions += 1;
    assert.equal(tracesOf(this.#folder, numero), 0, `${numero} after its deletion`);
  }

  /** Asserts that the list is right, linked sessions are connected without a code, and deleted ones left no trace. */
  async check(): Promise<void> {
    const { registrations } = this.#whatsapp;
    const listed = new Set((await this.gateway.list()).map(({ numero }) => numero));
    for (const [numero, expected] of this.#expected) {
      if (expected !== 'maybe') assert.equal(listed.has(numero), expected === 'listed', numero);
      if (listed.has(numero)) {
        // What could not be saved is listed as well, until the gateway ends.
        if (this.#whatsapp.phone(numero).devices.length === 0) continue;
        await this.gateway.state(numero, STATES.connected);
        this.#expected.set(numero, 'listed');
        continue;
      }
      this.#expected.set(numero, 'absent');
      // What was deleted gets unlinked too, if necessary by the next gateway.
      await this.#until(() => this.#isUnlinked(numero), `${numero} unlinked`);
      await this.#until(() => tracesOf(this.#folder, numero) === 0, `${numero} out of the store`);
    }
    assert.equal(this.#whatsapp.registrations, registrations);
  }

  /** Restarts every linked session, since one whose start has failed does not retry by itself. */
  async recover(): Promise<void> {
    for (const { numero, state } of await this.gateway.list()) {
      if (this.#whatsapp.phone(numero).devices.length === 0 || state !== STATES.disconnected) continue;
      assert.equal(await this.levanta(numero), 200, numero);
    }
  }

  async deleteAll(): Promise<void> {
    for (const { numero } of await this.gateway.list()) await this.delete(numero);
  }

  /** Asserts that the sessions' messages could be decrypted. */
  checkMessages(): void {
    assert.deepEqual(this.#whatsapp.phone(RECIPIENT).failures, []);
  }

  async #send(numero: string): Promise<void> {
    this.#judge(await this.gateway.send(numero, RECIPIENT), [200, 404, 409, 504]);
  }

  /** Waits until `pick` finds something in a session, or for the end of the session or the gateway. */
  #watch(numero: string, pick: (session: WireSession) => string | undefined, time?: number): Promise<string> {
    const look = async () => {
      if (!this.gateway.isAlive) return ENDED;
      const session = await this.gateway.session(numero);
      return !session || session.state === STATES.disconnected ? ENDED : pick(session);
    };
    return until(look, `${numero} to make progress or to end`, time);
  }

  /** Whether it is unlinked: by the gateway or, if the gateway's log asks for it, by hand on the phone. */
  #isUnlinked(numero: string): boolean {
    const phone = this.#whatsapp.phone(numero);
    const asks = `WhatsApp could not be told that ${numero} was deleted`;
    if (this.#gateways.some(({ run }) => run.output.stderr.includes(asks))) phone.unlink();
    return phone.devices.length === 0;
  }

  /** Like `until`, but rejects as soon as the gateway has ended. */
  async #until(condition: () => boolean, expectation: string): Promise<void> {
    const met = until(() => !this.gateway.isAlive || condition(), expectation);
    await met.catch((error: unknown) => {
      throw new Error(`${error}; ${this.gateway.run.output.stderr}`);
    });
    if (!condition()) throw new Error('The gateway has ended');
  }

  /** Asserts success, or an error that blames the disk. */
  #judge({ status, body }: Answer, fine: readonly number[]): number {
    if (fine.includes(status)) return status;
    assert.ok(status === 507 || status === 503, `${status} ${JSON.stringify(body)}`);
    assert.match(
      JSON.stringify(body),
      /no tiene espacio para guardar|no puede leer o guardar|No se pueden leer las claves/,
    );
    this.refusals += 1;
    return status;
  }
}
