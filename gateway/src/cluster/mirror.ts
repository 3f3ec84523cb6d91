import type { WireSession } from '../../../src/wire.ts';
import { type Push, pushesTo } from '../sessions/transitions.ts';
import type { Sql } from '../store/postgres/database.ts';
import type { Change } from './notices.ts';
import { type RowVersion, type SessionRow, sessionOf, versionOf } from './rows.ts';

interface Mirrored extends RowVersion {
  readonly session: WireSession;
}

/**
 * All sessions of the cluster, as its gateways have written them: what panels are shown, whichever gateway they are
 * connected to.
 */
export class Mirror {
  readonly #push: (push: Push) => void;
  /** By numero. */
  #sessions = new Map<string, Mirrored>();

  /** @param push takes what the panels of this gateway are to hear */
  constructor(push: (push: Push) => void) {
    this.#push = push;
  }

  get size(): number {
    return this.#sessions.size;
  }

  list(): WireSession[] {
    // Gateways hear of new sessions in another order than they have in the table.
    return [...this.#sessions.values()].sort((a, b) => a.place - b.place).map(({ session }) => session);
  }

  /** Ignores a change that is known already. */
  apply({ pushes, ...change }: Change): void {
    const { session, version } = change;
    const known = this.#sessions.get(session.numero);
    if (known && known.version >= version) return;
    this.#sessions.set(session.numero, change);
    for (const push of pushes) this.#push(push);
  }

  remove(numero: string): void {
    // The contract has no event for a removal: panels at least learn that the session is disconnected.
    if (this.#sessions.delete(numero)) this.#push({ event: 'disconnected', numero });
  }

  /** Reads the table, and pushes what is different there. Rejects with PostgreSQL's error. */
  async read(sql: Sql): Promise<void> {
    const rows = await sql<SessionRow>`
      SELECT numero, state, qr, waiting, place, version FROM session`;
    const before = this.#sessions;
    this.#sessions = new Map();
    for (const row of rows) {
      const known = before.get(row.numero);
      before.delete(row.numero);
      const session = sessionOf(row);
      const read = { session, ...versionOf(row) };
      const isOld = known !== undefined && known.version >= read.version;
      this.#sessions.set(row.numero, isOld ? known : read);
      if (isOld) continue;
      for (const push of pushesBetween(known?.session, session)) this.#push(push);
    }
    for (const numero of before.keys()) this.#push({ event: 'disconnected', numero });
  }
}

function pushesBetween(before: WireSession | undefined, after: WireSession): Push[] {
  // Only an end takes a code off the screen.
  const isVoid = before?.qrCode !== undefined && after.qrCode === undefined;
  const ended: Push[] = isVoid ? [{ event: 'disconnected', numero: after.numero }] : [];
  return [...ended, ...pushesTo(after)];
}
