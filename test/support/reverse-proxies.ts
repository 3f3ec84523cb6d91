import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCaddy, findNginx } from './find-proxies.mjs';
import type { Scope } from './scope.ts';

/** Runs nginx until the end of the test. @param http what its block `http` has beside what a test needs */
export function startNginx(scope: Scope, folder: string, http: string): void {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const config = join(folder, 'nginx.conf');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    config,
    `daemon off; ${user} pid ${folder}/pid; error_log stderr emerg;
     events {} http { access_log off; ${temporary.join(' ')} ${http} }`,
  );
  run(scope, findNginx(), ['-c', config], {});
}

/** Runs Caddy until the end of the test. @param options more global ones, a line each */
export function startCaddy(
  scope: Scope,
  folder: string,
  sites: string,
  { options = '', env = {} }: { options?: string; env?: Record<string, string> } = {},
): void {
  const config = join(folder, 'Caddyfile');
  writeFileSync(config, `{\nadmin off\n${options}\nlog {\nlevel PANIC\n}\n}\n${sites}`);
  const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  run(scope, findCaddy(), ['run', '--config', config, '--adapter', 'caddyfile'], { ...home, ...env });
}

function run(scope: Scope, path: string | undefined, args: string[], env: Record<string, string>): void {
  if (path === undefined) throw new Error('run test/support/ensure-proxies.mjs first');
  const child = spawn(path, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  scope.after(() => child.kill('SIGTERM'));
}
