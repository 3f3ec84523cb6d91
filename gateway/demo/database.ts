import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPostgres, postgresUser } from '../../test/support/find-postgres.mjs';
import { stablePort } from '../../test/support/stable-port.ts';
import { StartError } from './start-error.ts';

const execute = promisify(execFile);

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  // Nothing is kept.
  'fsync=off',
  'shared_buffers=16MB',
];

/** A PostgreSQL server on a free port of this machine, with a random password; its data goes with it. */
export class Database {
  readonly url: string;
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(url: string, folder: string, process: ChildProcess) {
    this.url = url;
    this.#folder = folder;
    this.#process = process;
  }

  /** Resolves when the server takes connections; rejects with a {@link StartError}. */
  static async start(): Promise<Database> {
    const programs = findPostgres();
    if (programs === undefined) {
      throw new StartError(
        'There is no PostgreSQL: run npm install, or set POSTGRES_PATH to the folder of its programs.',
      );
    }
    const folder = mkdtempSync(join(tmpdir(), 'whatsapp-operadores-'));
    try {
      const user = postgresUser();
      const password = randomBytes(18).toString('hex');
      const passwordFile = join(folder, 'password');
      writeFileSync(passwordFile, password, { mode: 0o600 });
      if (user.uid !== undefined && user.gid !== undefined) {
        for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);
      }
      const data = join(folder, 'data');
      await execute(join(programs, 'initdb'), initArguments(data, passwordFile), user);
      rmSync(passwordFile);

      const port = await stablePort();
      const settings = [...SETTINGS, `port=${port}`].flatMap((setting) => ['-c', setting]);
      const child = spawn(join(programs, 'postgres'), ['-D', data, ...settings], {
        ...user,
        // In a group of its own: Ctrl-C must not end it before the gateways.
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      await ready(child);
      return new Database(`postgres://postgres:${password}@127.0.0.1:${port}/postgres`, folder, child);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Resolves when the server and its folder are gone. */
  async end(): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    if (exitCode === null && signalCode === null) {
      const ended = once(this.#process, 'exit');
      this.#process.kill('SIGQUIT');
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function initArguments(data: string, passwordFile: string): string[] {
  return [
    ...['-D', data, '--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`],
    ...['--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'],
  ];
}

async function ready(child: ChildProcess): Promise<void> {
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (printed.includes('ready to accept connections')) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new StartError(`PostgreSQL does not start:\n${printed}`)));
  });
  child.stderr?.removeAllListeners('data').resume();
}
