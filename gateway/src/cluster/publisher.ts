import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { STATES, type WireDetails, type WireListItem } from '../../../src/wire.ts';
import type { Cipher } from '../ledger/cipher.ts';
import type { Membership } from '../ledger/membership.ts';
import { reasonOf } from '../ledger/operations.ts';
import { Batch } from '../sessions/batch.ts';
import { detailsOf } from '../sessions/details.ts';
import { numeroKey } from '../sessions/numbers.ts';
import { isStatePush, type Push, type StatePush } from '../sessions/transitions.ts';
import { CHANNEL, MOST_BYTES, sealNotice, withoutCodes } from './notices.ts';
import { PassingPushes } from './passing-pushes.ts';
import type { RowVersion } from './rows.ts';

/** Least milliseconds between two batches: each is a commit under a lock of the whole server. */
const INTERVAL = 10;
/** Wait before a failed batch is written again, in milliseconds. */
const RETRY = 200;

/** PostgreSQL's class of errors in the data themselves, such as a text with a NUL: repeating does not help. */
const DATA_ERROR = /^22/;

/** A session of this process. */
interface Published {
  row: RowVersion;
  /** As it is listed after the pending pushes. */
  session: WireListItem | undefined;
  pending: StatePush[];
}

/** A row of a batch: the data to write, and its part of the notification. */
interface Row {
  readonly id: string;
  /** A session that was deleted and created again is another row. */
  readonly place: number;
  readonly version: number;
  readonly state: string;
  readonly qr: string | null;
  readonly waiting: boolean;
  readonly details: WireDetails;
  readonly notice: string;
  readonly chunk: number;
}

/**
 * Writes the states of this process's sessions to the database and notifies all gateways, in the order of the pushes:
 * one statement at a time, which writes nothing for a session that another process now owns.
 */
export class Publisher {
  readonly #membership: () => Membership | undefined;
  readonly #onLost: (numero: string) => void;
  readonly #log: Logger;
  readonly #passing: PassingPushes;
  readonly #published = new Map<string, Published>();
  /** Keys with pending pushes. */
  readonly #dirty = new Set<string>();
  #isWriting = false;
  /** The batch that is being written, and the next one. */
  #current = new Batch();
  #next = new Batch();

  /**
   * @param membership returns the right to write; undefined while there is none
   * @param onLost called with a session that another process owns
   * @param log the operator log
   */
  constructor(membership: () => Membership | undefined, onLost: (numero: string) => void, log: Logger) {
    this.#membership = membership;
    this.#passing = new PassingPushes(membership, log);
    this.#onLost = onLost;
    this.#log = log;
  }

  /** Starts to publish a session. */
  take(numero: string, row: RowVersion): void {
    this.#published.set(numeroKey(numero), { row, session: undefined, pending: [] });
  }

  /** Stops publishing a session. */
  drop(numero: string): void {
    const key = numeroKey(numero);
    this.#published.delete(key);
    this.#dirty.delete(key);
  }

  dropAll(): void {
    this.#published.clear();
    this.#dirty.clear();
  }

  /** @param session as it is listed after the push; undefined if it was removed, which the store announces */
  publish(push: Push, session: WireListItem | undefined): void {
    const key = numeroKey(push.numero);
    if (push.event === 'code' || push.event === 'ack') {
      this.#passing.pass(push);
      return;
    }
    if (!session) this.drop(push.numero);
    const published = this.#published.get(key);
    if (!published || !session) return;
    published.session = session;
    // The row shows details, and added and removed sessions.
    if (isStatePush(push)) published.pending.push(push);
    this.#dirty.add(key);
    if (!this.#isWriting) void this.#writeAll();
  }

  /** Resolves once everything published so far is written or dropped. */
  async written(): Promise<void> {
    if (!this.#isWriting) return;
    await (this.#dirty.size > 0 ? this.#next : this.#current).done;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // Pushes of one turn form one batch.
    await Promise.resolve();
    while (this.#dirty.size > 0) {
      const begun = performance.now();
      this.#current = this.#next;
      this.#next = new Batch();
      const member = this.#membership();
      if (member) await this.#write(member, this.#rows(member));
      else this.#dirty.clear();
      this.#current.end();
      const rest = INTERVAL - (performance.now() - begun);
      if (rest > 0) await wait(rest);
    }
    this.#isWriting = false;
  }

  #rows({ cipher }: Membership): Row[] {
    const rows: Row[] = [];
    let chunk = 0;
    let bytes = 0;
    for (const key of this.#dirty) {
      const published = this.#published.get(key);
      const { session } = published ?? {};
      if (!published || !session) continue;
      const row = { ...published.row, version: published.row.version + 1 };
      const notice = encode(cipher, session, row, published.pending);
      published.row = row;
      published.pending = [];
      const size = notice.length + 1;
      if (bytes + size > MOST_BYTES) {
        chunk += 1;
        bytes = 0;
      }
      bytes += size;
      const { state, qrCode: qr = null, waiting } = session;
      rows.push({ id: key, ...row, state, qr, waiting, details: detailsOf(session), notice, chunk });
    }
    this.#dirty.clear();
    return rows;
  }

  /** Repeats a batch whose outcome is unknown: gateways ignore versions that they have seen. */
  async #write(member: Membership, rows: readonly Row[]): Promise<void> {
    let failure: string | undefined;
    while (member.id === this.#membership()?.id) {
      try {
        this.#check(rows, await writeRows(member, rows));
        return;
      } catch (error) {
        const reason = reasonOf(error);
        if (DATA_ERROR.test(reason)) return this.#writeSingly(member, rows, reason);
        if (reason !== failure)
          this.#log.warn({ reason }, 'States could not be written: trying until they can.');
        failure = reason;
        await wait(RETRY);
      }
    }
  }

  /** Writes the other rows of a batch with a row that the database cannot store. */
  async #writeSingly(member: Membership, rows: readonly Row[], reason: string): Promise<void> {
    const [{ id: numero } = {}, ...others] = rows;
    if (others.length > 0) for (const row of rows) await this.#write(member, [row]);
    else this.#log.error({ numero, reason }, 'A state cannot be stored: it is left out.');
  }

  #check(rows: readonly Row[], owned: ReadonlySet<string>): void {
    for (const { id, place } of rows) {
      const published = owned.has(id) ? undefined : this.#published.get(id);
      if (!published?.session || published.row.place !== place) continue;
      this.drop(id);
      // A deletion removes the row itself, or notices the loss itself.
      if (published.session.state !== STATES.closing) this.#onLost(published.session.numero);
    }
  }
}

/** Returns the ids of the rows that were written: those that this process owns. */
async function writeRows({ sql, id }: Membership, rows: readonly Row[]): Promise<Set<string>> {
  const [result] = await sql<{ owned: string[] }>`
    WITH incoming AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS row (
        id text, place bigint, version bigint, state text, qr text, waiting boolean, details jsonb, notice text,
        chunk int
      )
    ), written AS (
      UPDATE session
      SET state = row.state, qr = row.qr, waiting = row.waiting, details = row.details, version = row.version
      FROM incoming AS row 
      WHERE session.id = row.id AND session.owner = ${id} AND session.version <= row.version RETURNING session.id
    ), notified AS (
      SELECT pg_notify(${CHANNEL}, string_agg(notice, ' '))
      FROM incoming JOIN written USING (id) GROUP BY chunk ORDER BY chunk
    )
    SELECT ARRAY(SELECT id FROM written) AS owned, (SELECT count(*) FROM notified) AS notices`;
  return new Set(result?.owned);
}

/** If a burst does not fit into one notification, the gateways read the row. */
function encode(
  cipher: Cipher,
  session: WireListItem,
  row: RowVersion,
  pending: readonly StatePush[],
): string {
  const sealed = sealNotice(cipher, { type: 'change', session, ...row, pushes: withoutCodes(pending) });
  if (sealed.length <= MOST_BYTES) return sealed;
  return sealNotice(cipher, { type: 'rows', numero: session.numero });
}
