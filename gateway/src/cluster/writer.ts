import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { STATES, type WireListItem } from '../../../src/wire.ts';
import { reasonOf } from '../ledger/operations.ts';
import { type Membership, notify, type RowChange, writeChanges } from '../ledger/session-rows.ts';
import { numeroKey } from '../numbers.ts';
import { BatchWriter } from '../sessions/batch-writer.ts';
import { storedOf } from '../sessions/details.ts';
import type { Session } from '../sessions/session.ts';
import { isStatePush, type Push, type StatePush } from '../sessions/transitions.ts';
import { MOST_BYTES, type PassingPush, sealNotice, withoutCodes } from './notices.ts';

/** Each batch is a commit under a lock of the whole server. */
const TIMES = { interval: 10, retry: 0, most: 100_000 };
/** Wait before a failed batch is written again, in milliseconds. */
const RETRY = 200;
/** How long a batch takes at most before panels learn of sessions that are not connected without it, in milliseconds. */
const LATE = 2_000;
/** Most bytes of the passing pushes of one notification: the envelope and the sealing add a third. */
const MOST_PASSING = MOST_BYTES / 2;
/** PostgreSQL's class of errors in the data themselves, such as a text with a NUL: repeating does not help. */
const DATA_ERROR = /^22/;

/** What this process holds of a row. */
interface OwnedRow {
  /** Distinguishes this ownership from earlier and later ones. */
  readonly epoch: string;
  readonly place: number;
  version: number;
  /** The session, once something was published of it. */
  session?: Source;
}

type Source = Pick<Session, 'numero' | 'key' | 'shown'>;

/** A push, with the row that its session had then. */
interface Item {
  readonly push: Push;
  readonly key: string;
  readonly row: OwnedRow;
}

/**
 * Writes the states of this process's sessions to the database and notifies all gateways, in the order of the pushes:
 * one statement at a time, which writes nothing for a session that another process now owns.
 */
export class Writer {
  readonly #membership: () => Membership | undefined;
  readonly #onLost: (numero: string) => void;
  readonly #onLate: (numeros: readonly string[]) => void;
  readonly #log: Logger;
  readonly #items: BatchWriter<Item>;
  /** By the numero's key. */
  readonly #rows = new Map<string, OwnedRow>();
  /** Counts the notifications of passing pushes. */
  #number = 0;
  #isLate = false;

  /**
   * @param membership returns the right to write; undefined while there is none
   * @param onLost called with a session that another process owns
   * @param onLate called with sessions that are not connected, while states cannot be written
   */
  constructor(
    membership: () => Membership | undefined,
    onLost: (numero: string) => void,
    onLate: (numeros: readonly string[]) => void,
    log: Logger,
  ) {
    this.#membership = membership;
    this.#onLost = onLost;
    this.#onLate = onLate;
    this.#log = log;
    this.#items = new BatchWriter((items) => this.#writeInTime(items), TIMES);
  }

  /** Whether states cannot be written, because somebody has locked the table, for example. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** Begins to write to a row that this process owns. */
  take(numero: string, row: OwnedRow): void {
    this.#rows.set(numeroKey(numero), row);
  }

  row(numero: string): OwnedRow | undefined {
    return this.#rows.get(numeroKey(numero));
  }

  /** Writes no more to a row. */
  drop(numero: string): void {
    this.#rows.delete(numeroKey(numero));
  }

  dropAll(): void {
    this.#rows.clear();
  }

  publish(session: Source, push: Push): void {
    // The ledger announces a removal.
    if (!session.shown) this.drop(session.numero);
    const { key } = session;
    const row = this.#rows.get(key);
    if (!row) return;
    row.session = session;
    this.#items.add({ push, key, row });
    if (this.#isLate) this.#tellLate([row]);
  }

  /** Resolves once everything published so far is written or dropped. */
  written(): Promise<void> {
    return this.#items.flush();
  }

  async #writeInTime(items: readonly Item[]): Promise<[]> {
    const timer = setTimeout(() => {
      this.#isLate = true;
      this.#tellLate([...this.#rows.values()]);
    }, LATE);
    try {
      return await this.#write(items);
    } finally {
      clearTimeout(timer);
      this.#isLate = false;
    }
  }

  #tellLate(rows: readonly OwnedRow[]): void {
    const shown = rows.flatMap(({ session }) => session?.shown ?? []);
    const late = shown.filter(({ state }) => state !== STATES.connected).map(({ numero }) => numero);
    if (late.length > 0) this.#onLate(late);
  }

  async #write(items: readonly Item[]): Promise<[]> {
    const member = this.#membership();
    if (!member) return [];
    const due = items.filter(({ key, row }) => this.#rows.get(key) === row);
    const changes = this.#changesOf(due, member);
    if (changes.length > 0) await this.#writeChanges(member, changes);
    const passing = due.flatMap(({ push }) => (isPassing(push) ? push : []));
    for (const pushes of inChunks(passing)) await this.#pass(member, pushes);
    return [];
  }

  #changesOf(items: readonly Item[], member: Membership): RowChange[] {
    const byRow = new Map<OwnedRow, StatePush[]>();
    for (const { push, row } of items) {
      if (isPassing(push)) continue;
      const pushes = byRow.get(row) ?? [];
      byRow.set(row, pushes);
      // The row shows details, and added sessions.
      if (isStatePush(push)) pushes.push(push);
    }
    let [chunk, bytes] = [0, 0];
    return [...byRow].flatMap(([row, pushes]) => {
      const { key, shown } = row.session ?? {};
      if (key === undefined || !shown) return [];
      row.version += 1;
      const notice = this.#noticeOf(shown, row, pushes, member);
      const size = notice.length + 1;
      if (bytes + size > MOST_BYTES) [chunk, bytes] = [chunk + 1, 0];
      bytes += size;
      const { epoch, version } = row;
      const { state, qrCode: qr = null, waiting } = shown;
      return {
        id: key,
        epoch,
        version,
        state,
        qr,
        waiting,
        details: storedOf(shown),
        notice,
        chunk,
      };
    });
  }

  /** If a burst does not fit into one notification, the gateways read the row. */
  #noticeOf(
    session: WireListItem,
    { place, version }: OwnedRow,
    pushes: readonly StatePush[],
    { id: owner, cipher }: Membership,
  ): string {
    const pushed = withoutCodes(pushes);
    const change = { type: 'change', session, place, version, owner, pushes: pushed } as const;
    const sealed = sealNotice(cipher, change);
    return sealed.length <= MOST_BYTES
      ? sealed
      : sealNotice(cipher, { type: 'rows', numero: session.numero });
  }

  /** Repeats changes whose outcome is unknown: gateways ignore versions that they have seen. */
  async #writeChanges(member: Membership, changes: readonly RowChange[]): Promise<void> {
    let failure: string | undefined;
    while (member.id === this.#membership()?.id) {
      try {
        this.#check(changes, await writeChanges(member, changes));
        return;
      } catch (error) {
        const reason = reasonOf(error);
        if (DATA_ERROR.test(reason)) return this.#writeSingly(member, changes, reason);
        if (reason !== failure) {
          this.#log.warn({ reason }, 'States could not be written: trying until they can.');
        }
        failure = reason;
        await wait(RETRY);
      }
    }
  }

  /** Writes the other changes of a batch with one that the database cannot store, and of that one what it can. */
  async #writeSingly(member: Membership, changes: readonly RowChange[], reason: string): Promise<void> {
    const [change, ...others] = changes;
    if (!change) return;
    if (others.length > 0) {
      for (const one of changes) await this.#writeChanges(member, [one]);
      return;
    }
    const { id: numero } = change;
    const bare = bareOf(change);
    this.#log.error(
      { numero, reason },
      `A state cannot be stored${bare ? ' with its code and details: they are' : ': it is'} left out.`,
    );
    if (bare) await this.#writeChanges(member, [bare]);
  }

  #check(changes: readonly RowChange[], owned: ReadonlySet<string>): void {
    for (const { id, epoch } of changes) {
      const row = this.#rows.get(id);
      if (owned.has(id) || row?.epoch !== epoch) continue;
      this.#rows.delete(id);
      // A deletion removes the row itself, or notices the loss itself.
      if (row.session && row.session.shown?.state !== STATES.closing) this.#onLost(row.session.numero);
    }
  }

  /** Notifies all gateways of pushes that no row stores. Those that cannot be sent are lost, like any push. */
  async #pass({ sql, id: node, cipher }: Membership, pushes: PassingPush[]): Promise<void> {
    this.#number += 1;
    const sealed = sealNotice(cipher, { type: 'pushes', node, number: this.#number, pushes });
    await notify(sql, sealed).catch((error: unknown) => {
      this.#log.warn({ reason: reasonOf(error) }, 'Pushes could not be passed on.');
    });
  }
}

/**
 * Returns a change without what a row can lack; undefined if it has nothing of that. Who sees a session depends on its
 * group.
 */
function bareOf(change: RowChange): RowChange | undefined {
  const { group, ...others } = change.details;
  if (change.qr === null && Object.keys(others).length === 0) return undefined;
  return { ...change, qr: null, details: group === undefined ? {} : { group } };
}

function isPassing(push: Push): push is PassingPush {
  return push.event === 'code' || push.event === 'ack';
}

/** Divides pushes into what one notification holds, and at least one. */
function inChunks(pushes: readonly PassingPush[]): PassingPush[][] {
  const chunks: PassingPush[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const push of pushes) {
    const size = Buffer.byteLength(JSON.stringify(push)) + 1;
    if (bytes + size > MOST_PASSING) {
      chunks.push([]);
      bytes = 0;
    }
    bytes += size;
    chunks.at(-1)?.push(push);
  }
  return chunks;
}
