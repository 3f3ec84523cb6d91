import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Scope } from '../../../../test/support/scope.ts';
import { built } from '../../support/built.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Runs a script in another process. Resolves with its output. */
export async function runApart(
  script: string,
  imports: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<string> {
  const preloaded = imports.flatMap((name) => ['--import', name]);
  const child = spawn(process.execPath, [...preloaded, '--input-type=module', '--eval', script], {
    cwd: ROOT,
    env: { ...process.env, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  await once(child, 'close');
  return output.trim();
}

/** Calls an exported function of the store's room in another process. Resolves with its result, or its error's text. */
export async function call(file: string, ...args: (string | undefined)[]): Promise<unknown> {
  const texts = args.map((arg) => (arg === undefined ? 'undefined' : JSON.stringify(arg))).join();
  const output = await runApart(`
    import { ${file} } from '${built(`src/ledger/${file}`)}';
    try {
      console.log(JSON.stringify({ result: await ${file}(${texts}) }));
    } catch (error) {
      console.log(JSON.stringify({ result: error.name === 'FolderError' ? error.message : error.stack }));
    }
  `);
  return Object(JSON.parse(output)).result;
}

/** Starts a script in another process that lives until it is killed. Resolves once it has printed something. */
export async function hold(scope: Scope, script: string): Promise<() => Promise<void>> {
  const args = ['--input-type=module', '--eval', `${script}; setInterval(() => {}, 1_000);`];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  scope.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const ended = once(child, 'exit');
  return async () => {
    child.kill('SIGKILL');
    await ended;
  };
}
