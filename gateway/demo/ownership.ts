import { connectPostgres, type Database } from '../src/ledger/database.ts';

/** A number, and who owns it, as the tables say. */
interface OwnedSession {
  readonly numero: string;
  readonly state: string;
  readonly qr: string | null;
  readonly waiting: boolean;
  /** The address of the gateway; null while nobody has the number. */
  readonly url: string | null;
}

/** A gateway that takes part. */
interface Member {
  readonly url: string;
  readonly draining: boolean;
}

export interface Ownership {
  readonly sessions: readonly OwnedSession[];
  readonly members: readonly Member[];
}

/** Reads the tables of the gateways; it takes no part itself. */
export class OwnershipReader {
  readonly #database: Database;

  private constructor(database: Database) {
    this.#database = database;
  }

  static async open(url: string): Promise<OwnershipReader> {
    return new OwnershipReader(await connectPostgres(url, { max: 1, name: 'whatsapp-operadores demo' }));
  }

  async read(): Promise<Ownership> {
    return this.#database.begin(async (sql) => {
      // Both as of one moment.
      await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`;
      const sessions = await sql<OwnedSession>`
        SELECT numero, state, qr, waiting, url
        FROM session LEFT JOIN node ON node.id = session.owner ORDER BY place`;
      const members = await sql<Member>`SELECT url, draining FROM node`;
      return { sessions, members };
    });
  }

  async end(): Promise<void> {
    await this.#database.end();
  }
}
