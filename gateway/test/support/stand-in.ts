import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scope } from '../../../test/support/scope.ts';
import { stablePort } from '../../../test/support/stable-port.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import type { Command } from '../stand-ins/control.ts';
import type { Phase, StandInMessage } from '../stand-ins/world.ts';
import { built } from './built.ts';
import { observe } from './command.ts';

export const KEY = 'secret-of-the-server';

/** A server of somebody else, in a process of its own. */
export class StandIn {
  readonly url: string;
  readonly #program: string;
  readonly #port: number;
  readonly #args: readonly string[];
  #child: ChildProcessWithoutNullStreams | undefined;

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
    const file = join(temporaryFolder(scope), 'sessions.json');
    const standIn = new StandIn(program, await stablePort(), [KEY, file, ...args]);
    scope.after(() => standIn.kill());
    await standIn.restart();
    return standIn;
  }

  async restart(): Promise<void> {
    await this.kill();
    const child = spawn(process.execPath, [this.#program, String(this.#port), ...this.#args]);
    this.#child = child;
    const { output } = observe(child);
    await until(() => output.stdout.includes('http'), 'the stand-in to listen');
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
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

  async sessions(): Promise<{ name: string; phase: Phase; phone?: string; code?: string }[]> {
    return (await fetch(`${this.url}_/sessions`)).json();
  }
}
