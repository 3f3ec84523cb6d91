import type { WireListItem, WirePairing } from '../../../src/wire.ts';
import { changeBetween } from '../sessions/details.ts';
import { type Push, pushesTo, type StatePush } from '../sessions/transitions.ts';
import type { Sql } from '../store/postgres/database.ts';
import type { Change, PassingPush } from './notices.ts';
import { type RowVersion, type SessionRow, sessionOf, versionOf } from './rows.ts';

interface Mirrored extends RowVersion {
  readonly session: WireListItem;
}

/**
 * All sessions of the cluster, as its gateways have written them: what panels are shown, whichever gateway they are
 * connected to.
 */
export class Mirror {
  readonly #push: (push: Push) => void;
  /** By numero. */
  #sessions = new Map<string, Mirrored>();
  /** The codes to type that were heard of. */
  readonly #pairings = new Map<string, WirePairing>();

  /** @param push takes what the panels of this gateway are to hear */
  constructor(push: (push: Push) => void) {
    this.#push = push;
  }

  get size(): number {
    return this.#sessions.size;
  }

  list(): WireListItem[] {
    // Gateways hear of new sessions in another order than they have in the table.
    return [...this.#sessions.values()].sort((a, b) => a.place - b.place).map(({ session }) => session);
  }

  get(numero: string): WireListItem | undefined {
    return this.#sessions.get(numero)?.session;
  }

  /** Ignores a change that is known already. */
  apply({ pushes, ...change }: Change): void {
    const { session, version } = change;
    const known = this.#sessions.get(session.numero);
    if (known && known.version >= version) return;
    this.#sessions.set(session.numero, change);
    this.#pushAll(known?.session, session, pushes);
  }

  remove(numero: string): void {
    if (this.#sessions.delete(numero)) this.#pushRemoved(numero);
  }

  /** Takes a push that is part of no row. */
  pass(push: PassingPush): void {
    if (push.event === 'code' && push.pairing) this.#pairings.set(push.numero, push.pairing);
    if (push.event === 'code' && !push.pairing) this.#pairings.delete(push.numero);
    this.#push(push);
  }

  /** The code to type on a session's phone, while there is one. */
  pairing(numero: string): WirePairing | undefined {
    const pairing = this.#pairings.get(numero);
    return pairing && pairing.expires > Date.now() ? pairing : undefined;
  }

  #pushAll(before: WireListItem | undefined, session: WireListItem, pushes: readonly StatePush[]): void {
    const { numero } = session;
    const change = before && changeBetween(before, session);
    if (!before) this.#push({ event: 'created', numero, session });
    else if (change) this.#push({ event: 'details', numero, change });
    for (const push of pushes) this.#push(push);
  }

  #pushRemoved(numero: string): void {
    this.#pairings.delete(numero);
    // The contract has no event for a removal: panels at least learn that the session is disconnected.
    this.#push({ event: 'disconnected', numero });
    this.#push({ event: 'deleted', numero });
  }

  /** Reads the table, and pushes what is different there. Rejects with PostgreSQL's error. */
  async read(sql: Sql): Promise<void> {
    const rows = await sql<SessionRow>`
      SELECT numero, state, qr, waiting, details, place, version FROM session`;
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
      this.#pushAll(known?.session, session, pushesBetween(known?.session, session));
    }
    for (const numero of before.keys()) this.#pushRemoved(numero);
  }
}

function pushesBetween(before: WireListItem | undefined, after: WireListItem): StatePush[] {
  // Only an end takes a code off the screen.
  const isVoid = before?.qrCode !== undefined && after.qrCode === undefined;
  const ended: StatePush[] = isVoid ? [{ event: 'disconnected', numero: after.numero }] : [];
  return [...ended, ...pushesTo(after)];
}
