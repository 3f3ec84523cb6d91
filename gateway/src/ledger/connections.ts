import { connectPostgres, type Database } from './database.ts';

/** Connections for keys, states and ownership. Statements of one session wait for each other anyway. */
const WORKERS = 4;
/** Most connections of a gateway: for the heartbeats, for the work, and the one that listens. */
export const CONNECTIONS = WORKERS + 2;
/** What `pg_stat_activity` calls the connection for the heartbeats, of which each gateway has one. */
export const BEATS = 'whatsapp-operadores beats';

/** A gateway's connections to the database, except the one that listens; they end with its membership. */
export interface Connections {
  /** For the heartbeats alone: nothing may delay them. */
  readonly beats: Database;
  readonly work: Database;
}

/** Returns connections, which open on first use. */
export async function connect(url: string): Promise<Connections> {
  return {
    beats: await connectPostgres(url, { max: 1, name: BEATS }),
    work: await connectPostgres(url, { max: WORKERS, name: 'whatsapp-operadores work' }),
  };
}

/** Ends all connections at once; what waits for an answer rejects. */
export async function end({ beats, work }: Connections): Promise<void> {
  await Promise.all([beats.end(), work.end()]);
}
