import { readFileSync } from 'node:fs';
import type { Sql } from '../../../src/ledger/database.ts';

/** Ticks of the kernel's process clock per second; Linux shows all times in these. */
const TICKS = 100;

/** What a PostgreSQL server did while it was watched. */
export interface ServerLoad {
  /** Of all its processes, as a share of one core. */
  readonly cpu: number;
  /** Each notification that a connection takes in is one too; those that only listen count them late. */
  readonly commitsPerSecond: number;
}

/** Watches a PostgreSQL server of this machine until {@link stop}. */
export class ServerWatch {
  readonly #sql: Sql;
  readonly #begun = performance.now();
  readonly #postmaster: number;
  readonly #seconds: number;
  readonly #commits: number;

  private constructor(sql: Sql, postmaster: number, commits: number) {
    this.#sql = sql;
    this.#postmaster = postmaster;
    this.#seconds = secondsOf(postmaster);
    this.#commits = commits;
  }

  /** @param sql of the database whose commits are counted */
  static async start(sql: Sql): Promise<ServerWatch> {
    const [row] = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`;
    if (!row) throw new Error('PostgreSQL did not say its process');
    return new ServerWatch(sql, Number(statOf(row.pid)[PARENT]), await commitsOf(sql));
  }

  async stop(): Promise<ServerLoad> {
    const cpu = secondsOf(this.#postmaster) - this.#seconds;
    const commits = (await commitsOf(this.#sql)) - this.#commits;
    const seconds = (performance.now() - this.#begun) / 1_000;
    return { cpu: cpu / seconds, commitsPerSecond: commits / seconds };
  }
}

async function commitsOf(sql: Sql): Promise<number> {
  const [row] = await sql<{ commits: string }>`
    SELECT xact_commit AS commits FROM pg_stat_database WHERE datname = current_database()`;
  return Number(row?.commits);
}

/** Places in `/proc/PID/stat`, after the name: the parent, times in user mode and in the kernel, those of children. */
const PARENT = 1;
const OWN = [11, 12];
const ENDED = [13, 14];

/** Returns the seconds of all processes of a server, ended ones included. */
function secondsOf(postmaster: number): number {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ');
  const living = children.filter(Boolean).map((pid) => timesOf(Number(pid), OWN));
  const ticks = [timesOf(postmaster, [...OWN, ...ENDED]), ...living];
  return ticks.reduce((sum, value) => sum + value, 0) / TICKS;
}

function timesOf(pid: number, places: readonly number[]): number {
  try {
    const stat = statOf(pid);
    return places.reduce((sum, place) => sum + Number(stat[place]), 0);
  } catch {
    // It has ended since it was listed.
    return 0;
  }
}

function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
