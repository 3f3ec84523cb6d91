import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Scope } from '../../../test/support/scope.ts';
import { until } from '../../../test/support/until.ts';
import { built } from './built.ts';

const MAIN = fileURLToPath(built('src/cli'));

export interface Run {
  child: ChildProcessWithoutNullStreams;
  output: { stdout: string; stderr: string };
  /** The exit code; null when a signal ended it. */
  ended: Promise<number | null>;
}

/** Environment and preloaded module of the command. */
export interface RunOptions {
  readonly env?: Record<string, string>;
  /** A module that Node loads before the command. */
  readonly imports?: string;
}

/**
 * Runs the gateway's command: from another folder, since it must find its files by its own location, and without a
 * token of the developer's environment.
 */
export function run(scope: Scope, args: readonly string[], { env, imports }: RunOptions = {}): Run {
  const before = imports === undefined ? [] : ['--import', imports];
  const child = spawn(process.execPath, [...before, MAIN, ...args], {
    cwd: tmpdir(),
    env: { ...process.env, WO_TOKEN: undefined, ...env },
  });
  scope.after(() => child.kill('SIGKILL'));
  return observe(child);
}

/** Collects what a process prints. */
export function observe(child: ChildProcessWithoutNullStreams): Run {
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  }
  return { child, output, ended: once(child, 'close').then(([code]: (number | null)[]) => code ?? null) };
}

/** Returns the command's errors, its engine's warnings, and what on stderr is no line of the log. */
export function complaints({ output }: Run): string[] {
  return output.stderr.split('\n').flatMap((line) => {
    if (line === '') return [];
    if (!line.startsWith('{')) return [line];
    const { level, msg = '', engine }: { level?: string; msg?: string; engine?: string } = JSON.parse(line);
    return level === 'error' || level === 'fatal' || (level === 'warn' && engine) ? [msg] : [];
  });
}

/** Resolves with the URL that the command prints when it listens; rejects with what else it printed, if it ends before. */
export async function address({ child, output }: Run): Promise<string> {
  const find = () => /^(http:\/\/127\.0\.0\.1:\d+)\/.*\n/.exec(output.stdout)?.[1];
  await until(() => find() ?? child.exitCode !== null, 'an address', 120_000);
  return find() ?? assert.fail(`It ended: ${output.stderr}`);
}
