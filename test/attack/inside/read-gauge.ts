import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { built } from '../../../gateway/test/support/built.ts';
import type { Run } from '../../../gateway/test/support/command.ts';
import { until } from '../../support/until.ts';
import type { Gauge } from './gauge.ts';

export type { Gauge };

/** The module to load before the command, which answers {@link readGauge}. */
export const GAUGE = built('../test/attack/inside/gauge');
/** The same, with constant pushes. */
export const PUSHES = built('../test/attack/inside/pushes');

/** Requests the resource usage of the gateway's process. */
export async function readGauge({ child, output }: Run): Promise<Gauge> {
  const { length } = output.stderr;
  child.kill('SIGUSR2');
  const line = await until(() => /^(\{"used".*\})\n/m.exec(output.stderr.slice(length))?.[1], 'an answer');
  return JSON.parse(line) as Gauge;
}

/** Returns the resident memory of the gateway's process, in bytes. */
export async function residentMemory({ child }: Run): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(child.pid)]);
  return Number(stdout) * 1_024;
}
