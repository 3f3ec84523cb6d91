import assert from 'node:assert/strict';
import { STATES, type WireSession } from '../../../src/wire.ts';
import type { Scope } from '../../../test/support/scope.ts';
import { until } from '../../../test/support/until.ts';
import type { FakeWhatsapp } from '../whatsapp/fake/whatsapp.ts';
import { address, type Run, type RunOptions, run } from './command.ts';
import { type Answer, call, listOf, message, sessionOf } from './gateway.ts';

/** Longer than any takeover on a busy machine, in milliseconds. */
const PATIENCE = 90_000;

/** The gateway as a process of its own. */
export class GatewayProcess {
  readonly run: Run;
  #url = '';

  /** @param args its options; the port is a free one unless they name another */
  constructor(scope: Scope, args: readonly string[], options?: RunOptions) {
    this.run = run(scope, ['--port', '0', ...args], options);
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
    return listOf(this);
  }

  session(numero: string): Promise<WireSession | undefined> {
    return sessionOf(this, numero);
  }

  levanta(numero: string): Promise<Answer> {
    return call(this, `/api/session/levanta/${numero}`);
  }

  delete(numero: string): Promise<Answer> {
    return call(this, `/api/session/${numero}`, { method: 'DELETE' });
  }

  unlink(numero: string): Promise<Answer> {
    return call(this, `/api/session/${numero}/unlink`, { method: 'POST' });
  }

  /** Starts a session and resolves with its code to type. */
  async pair(numero: string): Promise<string> {
    await this.levanta(numero);
    const { status, body } = await call(this, `/api/session/${numero}/pairing`, { method: 'POST' });
    if (status !== 200) throw new Error(`Answered ${status}`);
    return Object(body).code;
  }

  send(numero: string, to: string, text?: string): Promise<Answer> {
    return call(this, '/api/message', { method: 'POST', body: message(numero, [Number(to)], text) });
  }

  /** Starts a session and has its phone scan the code, until it is connected. */
  async link(numero: string, whatsapp: FakeWhatsapp): Promise<void> {
    assert.equal((await this.levanta(numero)).status, 200);
    const code = await this.until(async () => (await this.session(numero))?.qrCode, `a code of ${numero}`);
    await whatsapp.phone(numero).scan(code);
    await this.state(numero, STATES.connected);
  }

  /** Waits until a session is in a state. */
  async state(numero: string, state: string): Promise<void> {
    const there = async () => {
      const session = await this.session(numero);
      if (session?.state !== state) throw new Error(`it is ${session?.state}`);
      return true;
    };
    await this.until(there, `the state ${state} of ${numero}`);
  }

  /** The sentences of its log. */
  get log(): string[] {
    return this.run.output.stderr.split('\n').flatMap((line) => {
      if (!line.startsWith('{')) return line === '' ? [] : [line];
      const { msg }: { msg?: string } = JSON.parse(line);
      return msg ?? [];
    });
  }

  /** Like `until`, but rejects as soon as the process has ended. */
  async until<T>(condition: () => Promise<T>, expectation: string): Promise<NonNullable<T>> {
    const dead = Symbol('dead');
    const result = await until(async () => (this.isAlive ? condition() : dead), expectation, PATIENCE);
    if (result === dead) throw new Error('The gateway has ended');
    return result;
  }
}
