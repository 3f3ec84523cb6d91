import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STATES, type WireSession } from '../../../../src/wire.ts';
import type { Scope } from '../../../../test/support/scope.ts';
import { until } from '../../../../test/support/until.ts';
import { built } from '../../support/built.ts';
import { address, type Run, type RunOptions, run } from '../../support/command.ts';
import { type Answer, call, listOf, message, sessionOf } from '../../support/gateway.ts';
import { type FakeWhatsapp, type FakeWhatsappOptions, startFakeWhatsapp } from '../fake/whatsapp.ts';

const KILL_AT = built('test/preloads/kill-at-statement');

/** An SQLite statement; the gateway kills itself right before it. */
export interface Place {
  /** A regular expression that the statement matches. */
  readonly at: string;
  /** How many matching statements to let pass. Default 0. */
  readonly skip?: number;
}

/** Creates what consecutive gateways share: a data folder and a fake WhatsApp. */
export async function layOut(
  scope: Scope,
  options?: FakeWhatsappOptions,
): Promise<{ folder: string; whatsapp: FakeWhatsapp }> {
  const parent = mkdtempSync(join(tmpdir(), 'wo-'));
  const whatsapp = await startFakeWhatsapp(options);
  scope.after(async () => {
    await whatsapp.close();
    rmSync(parent, { recursive: true, force: true });
  });
  return { folder: join(parent, 'data'), whatsapp };
}

/** The gateway as a separate process, with the real client library and a fake WhatsApp. */
export class GatewayProcess {
  readonly run: Run;
  readonly #whatsapp: FakeWhatsapp;
  #url = '';

  constructor(scope: Scope, folder: string, whatsapp: FakeWhatsapp, runOptions: RunOptions = {}) {
    this.#whatsapp = whatsapp;
    const options = ['--engine', 'whatsapp', '--data', folder, '--whatsapp-url', whatsapp.url];
    this.run = run(scope, ['--port', '0', ...options], runOptions);
  }

  /** Starts one that is killed at `place`, if it gets there. */
  static killedAt(scope: Scope, folder: string, whatsapp: FakeWhatsapp, { at, skip = 0 }: Place) {
    const env = { WO_KILL_AT: at, WO_KILL_SKIP: String(skip) };
    return new GatewayProcess(scope, folder, whatsapp, { env, imports: KILL_AT });
  }

  /** Resolves with this gateway once it listens. */
  async listens(): Promise<this> {
    this.#url = await address(this.run);
    return this;
  }

  get url(): string {
    return this.#url;
  }

  get isAlive(): boolean {
    return this.run.child.exitCode === null && this.run.child.signalCode === null;
  }

  async kill(): Promise<void> {
    this.run.child.kill('SIGKILL');
    await this.run.ended;
  }

  /** Stops it as Ctrl-C does. */
  async stop(): Promise<void> {
    this.run.child.kill('SIGTERM');
    await this.run.ended;
  }

  list(): Promise<WireSession[]> {
    return listOf({ url: this.#url });
  }

  session(numero: string): Promise<WireSession | undefined> {
    return sessionOf({ url: this.#url }, numero);
  }

  levanta(numero: string): Promise<Answer> {
    return call({ url: this.#url }, `/api/session/levanta/${numero}`);
  }

  delete(numero: string): Promise<Answer> {
    return call({ url: this.#url }, `/api/session/${numero}`, { method: 'DELETE' });
  }

  unlink(numero: string): Promise<Answer> {
    return call({ url: this.#url }, `/api/session/${numero}/unlink`, { method: 'POST' });
  }

  /** Starts a session and resolves with its code to type. */
  async pair(numero: string): Promise<string> {
    await this.levanta(numero);
    const { status, body } = await call({ url: this.#url }, `/api/session/${numero}/pairing`, {
      method: 'POST',
    });
    if (status !== 200) throw new Error(`Answered ${status}`);
    return Object(body).code;
  }

  send(numero: string, to: number): Promise<Answer> {
    return call({ url: this.#url }, '/api/message', { method: 'POST', body: message(numero, [to]) });
  }

  async link(numero: string): Promise<void> {
    await this.levanta(numero);
    const code = await this.#until(async () => (await this.session(numero))?.qrCode, `a code of ${numero}`);
    await this.#whatsapp.phone(numero).scan(code);
    await this.state(numero, STATES.connected);
  }

  async state(numero: string, state: string): Promise<void> {
    const there = async () => (await this.session(numero))?.state === state;
    await this.#until(there, `${numero} ${state}`);
  }

  /** Like `until`, but rejects as soon as the process has ended. */
  async #until<T>(condition: () => Promise<T>, expectation: string): Promise<NonNullable<T>> {
    const dead = Symbol('dead');
    const result = await until(async () => (this.isAlive ? condition() : dead), expectation);
    if (result === dead) throw new Error('The gateway has ended');
    return result;
  }
}
