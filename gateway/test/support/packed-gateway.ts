import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { npm } from '../../../test/support/packed-package.ts';
import type { Scope } from '../../../test/support/scope.ts';
import { observe, type Run } from './command.ts';

export interface Tarball {
  /** Path of the tarball. */
  readonly path: string;
  /** Paths in the package. */
  readonly files: readonly string[];
}

/** Packs the package in `from` into `folder`, as npm would publish it. */
export async function pack(from: string, folder: string, ...options: string[]): Promise<Tarball> {
  const report = await npm(from, 'pack', '--json', '--silent', '--pack-destination', folder, ...options);
  const [packed]: { filename: string; files: { path: string }[] }[] = JSON.parse(report);
  if (!packed) throw new Error('npm packed nothing');
  return { path: join(folder, packed.filename), files: packed.files.map(({ path }) => path) };
}

/** Runs the installed command as a user would, in the project's folder and without options of the developer's. */
export function runInstalled(scope: Scope, folder: string, args: readonly string[]): Run {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('WO_')));
  // npx runs the command through a shell: one group, to end all of them.
  const child = spawn('npx', ['--no-install', 'whatsapp-operadores-gateway', ...args], {
    cwd: folder,
    // npm's own warnings, such as those about the developer's npmrc, are not the command's.
    env: { ...env, npm_config_loglevel: 'error' },
    shell: process.platform === 'win32',
    detached: true,
  });
  scope.after(() => endGroup(child.pid));
  return observe(child);
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended already.
  }
}
