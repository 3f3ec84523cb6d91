import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scope } from '../../../test/support/scope.ts';
import { stablePort } from '../../../test/support/stable-port.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import type { RemoteName } from '../../src/engines/remote/names.ts';
import type { Command } from '../stand-ins/control.ts';
import type { Phase, StandInMessage } from '../stand-ins/world.ts';
import { built } from './built.ts';
import { observe, type Run } from './command.ts';

export const KEY = 'secret-of-the-server';

/** The servers that the gateway stands in front of, as they were seen, with the arguments of their stand-ins. */
export const SERVERS = [
  { title: 'Evolution API 2.3', name: 'evolution', args: [] },
  { title: 'WAHA 2024.10', name: 'waha', args: ['2024.10.8'] },
  { title: 'WAHA 2026.7', name: 'waha', args: ['2026.7.1'] },
] as const satisfies { title: string; name: RemoteName; args: readonly string[] }[];

/** A server of somebody else, in a process of its own. */
export class StandIn {
  readonly url: string;
  readonly #program: string;
  readonly #port: number;
  readonly #args: readonly string[];
  #run: Run | undefined;

  private constructor(program: string, port: number, args: readonly string[]) {
    this.#program = fileURLToPath(built(`test/stand-ins/${program}`));
    this.#port = port;
    this.#args = args;
    this.url = `http://127.0.0.1:${port}/`;
  }

  /** Starts one; it ends with the test. */
  static async start(
    scope: Scope,
    program: 'waha' | 'evolution' | 'wwebjs-api',
    ...args: string[]
  ): Promise<StandIn> {
    const file = join(temporaryFolder(), 'sessions.json');
    const standIn = new StandIn(program, await stablePort(), [KEY, file, ...args]);
    scope.after(() => standIn.kill());
    await standIn.restart();
    return standIn;
  }

  async restart(): Promise<void> {
    await this.kill();
    const run = observe(spawn(process.execPath, [this.#program, String(this.#port), ...this.#args]));
    this.#run = run;
    await until(() => run.output.stdout.includes('http'), 'the stand-in to listen');
  }

  /** Rejects if it had ended by itself: no request of ours may end a server. */
  async kill(): Promise<void> {
    const run = this.#run;
    this.#run = undefined;
    if (!run) return;
    assert.equal(run.child.exitCode, null, `the stand-in ended by itself: ${run.output.stderr}`);
    run.child.kill('SIGKILL');
    await run.ended;
  }

  async command(command: Command): Promise<void> {
    const response = await fetch(`${this.url}_/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(command),
    });
    if (!response.ok) throw new Error(`${command.do}: ${await response.text()}`);
  }

  async messages(): Promise<StandInMessage[]> {
    return (await fetch(`${this.url}_/messages`)).json();
  }

  /** The phones that list a linked device. */
  async devices(): Promise<string[]> {
    return (await fetch(`${this.url}_/devices`)).json();
  }

  async sessions(): Promise<{ name: string; phase: Phase; phone?: string; code?: string }[]> {
    return (await fetch(`${this.url}_/sessions`)).json();
  }
}
