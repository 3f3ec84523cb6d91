import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Runs a script in the project's folder and resolves with its output. Rejects when it fails. */
export async function printed(script: string): Promise<string> {
  const args = ['--input-type=module', '--eval', script];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  return stdout + stderr;
}
