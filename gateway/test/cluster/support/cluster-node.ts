import type { WireSession } from '../../../../src/wire.ts';
import type { Scope } from '../../../../test/support/scope.ts';
import { address, type Run, type RunOptions, run } from '../../support/command.ts';
import { type Answer, call, listOf, message, sessionOf } from '../../support/gateway.ts';
import type { Link } from './link.ts';

/** A gateway of the cluster, as a process. */
export class ClusterNode {
  readonly run: Run;
  /** Its ways to the database's servers. */
  readonly links: readonly Link[];
  /** Whether it can be expected to answer, and to know what the others do. */
  #isHindered = false;
  #url = '';

  constructor(scope: Scope, args: readonly string[], links: readonly Link[], options: RunOptions) {
    this.run = run(scope, ['--port', '0', ...args], options);
    this.links = links;
  }

  /** Resolves with this gateway once it listens and has joined. */
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

  get isServing(): boolean {
    return this.isAlive && !this.#isHindered;
  }

  /** Stops it as a debugger does, or a machine that stands still. */
  freeze(): void {
    this.#isHindered = true;
    this.run.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.#isHindered = false;
    this.run.child.kill('SIGCONT');
  }

  /** Takes the database away from this gateway alone, without a sign. */
  cutOff(): void {
    this.#isHindered = true;
    for (const link of this.links) link.freeze();
  }

  reconnect(): void {
    this.#isHindered = false;
    for (const link of this.links) link.thaw();
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

  send(numero: string, to: string, text: string): Promise<Answer> {
    return call(this, '/api/message', { method: 'POST', body: message(numero, [Number(to)], text) });
  }

  /** The sentences of its log. */
  get log(): string[] {
    return this.run.output.stderr.split('\n').flatMap((line) => {
      if (!line.startsWith('{')) return line === '' ? [] : [line];
      const { msg }: { msg?: string } = JSON.parse(line);
      return msg ?? [];
    });
  }
}
