import type { Logger } from 'pino';
import { Compile } from 'typebox/compile';
import { STATES, type WireDetails, type WireListItem, type WirePairing } from '../../../src/wire.ts';
import type { Sql } from '../ledger/database.ts';
import { type SessionRow, UNASSIGNED } from '../ledger/session-rows.ts';
import { numeroKey } from '../numbers.ts';
import { changeBetween, storedOf } from '../sessions/details.ts';
import { isSameStep } from '../sessions/passkey.ts';
import { type Push, pushesTo, type StatePush } from '../sessions/transitions.ts';
import { Listed } from '../wire-schemas.ts';
import { type Change, type LateRow, type PassingPush, pushesOf } from './notices.ts';
import { RowReader } from './row-reader.ts';

interface KnownSession {
  readonly session: WireListItem;
  /** The row's place in the list: a session that was deleted and added again has another one. */
  readonly place: number;
  /** How often the row has changed. */
  readonly version: number;
  /** Who owns it; null if nobody does. */
  readonly owner: string | null;
  /** Whether it is no longer connected, although its row says so. */
  readonly isLate?: boolean;
}

interface CachedSession extends KnownSession {
  /** Since when nobody can send from it although it is connected, in milliseconds since 1970. */
  readonly hiddenSince: number | undefined;
}

const form = Compile(Listed);

/**
 * All sessions of the cluster, as its gateways have written them: panels show these, whichever gateway they are
 * connected to.
 */
export class SessionCache {
  readonly #push: (push: Push) => void;
  readonly #log: Logger;
  /** Reads rows, so that later changes are not overwritten by earlier ones. */
  readonly rows: RowReader;
  /** By numero. */
  readonly #sessions = new Map<string, CachedSession>();
  /** The numeros of sessions, by their keys. */
  readonly #numeros = new Map<string, string>();
  /** The codes to type that gateways have announced. */
  readonly #pairings = new Map<string, WirePairing>();
  /** Nodes that do not answer; undefined while this process itself may not act for sessions. */
  #silent: ReadonlySet<string> | undefined;

  /**
   * @param sql returns a connection to the table; undefined once there will be none
   * @param push receives the pushes for this gateway's panels
   */
  constructor(sql: () => Sql | undefined, push: (push: Push) => void, log: Logger) {
    this.#push = push;
    this.#log = log;
    this.rows = new RowReader(sql, (rows, numeros) => this.#take(rows, numeros));
  }

  get size(): number {
    return this.#sessions.size;
  }

  list(): WireListItem[] {
    // Gateways learn of new sessions in an order other than the table's.
    return [...this.#sessions.values()].sort((a, b) => a.place - b.place).map(shown);
  }

  /** Returns a session by any form of its numero. */
  get(typed: string): WireListItem | undefined {
    return this.#listed(typed) ?? this.#listed(this.#numeros.get(numeroKey(typed)) ?? '');
  }

  #listed(numero: string): WireListItem | undefined {
    const known = this.#sessions.get(numero);
    return known && shown(known);
  }

  /**
   * Sets which nodes do not answer: their sessions are not listed as connected. Undefined while this process may not act
   * for any session.
   */
  reach(silent: ReadonlySet<string> | undefined): void {
    this.#silent = silent;
    for (const row of [...this.#sessions.values()]) {
      if (isHiddenFrom(silent, row) !== (row.hiddenSince !== undefined)) this.#set(row, pushesBetween);
    }
  }

  /** Ignores a known change. If a change does not follow the known version, its row is read. */
  apply(change: Change): void {
    const { session, place, version, owner } = change;
    const known = this.#sessions.get(session.numero);
    if (known?.place !== place || version > known.version + 1) {
      this.rows.read(session.numero);
    } else if (version > known.version) {
      this.#set({ session, place, version, owner }, () => pushesOf(change));
    }
  }

  /** Returns those of the sessions that are listed as connected, with the versions of their rows. */
  connected(numeros: readonly string[]): LateRow[] {
    return numeros.flatMap((numero) => {
      const known = this.#sessions.get(numero);
      const isListed = known && shown(known).state === STATES.connected;
      return isListed ? { numero, version: known.version } : [];
    });
  }

  /** Lists sessions as connected no more, whose next change cannot be written. One that has come is newer. */
  hide(rows: readonly LateRow[]): void {
    for (const { numero, version } of rows) {
      const known = this.#sessions.get(numero);
      if (known?.version === version && known.session.state === STATES.connected && !known.isLate)
        this.#set({ ...known, isLate: true }, pushesBetween);
    }
  }

  /** Receives a push that no row stores. A push that a stranger repeats is out of date. */
  pass(push: PassingPush): void {
    const session = this.#listed(push.numero);
    if (!session) return;
    if (push.event === 'code' && push.pairing) {
      if (push.pairing.expires <= Date.now() || !isLinking(session)) return;
      this.#pairings.set(push.numero, push.pairing);
    }
    if (push.event === 'code' && !push.pairing) this.#pairings.delete(push.numero);
    this.#push(push);
  }

  /** The code to type on a session's phone, while there is one. */
  pairing(numero: string): WirePairing | undefined {
    const [session, pairing] = [this.#listed(numero), this.#pairings.get(numero)];
    return session && isLinking(session) && pairing && pairing.expires > Date.now() ? pairing : undefined;
  }

  /** @param pushesFrom returns the pushes of the new state */
  #set(known: KnownSession, pushesFrom: typeof pushesBetween): void {
    const { numero } = known.session;
    const before = this.#listed(numero);
    const isHidden = isHiddenFrom(this.#silent, known);
    const row = {
      ...known,
      hiddenSince: isHidden ? (this.#sessions.get(numero)?.hiddenSince ?? Date.now()) : undefined,
    };
    this.#sessions.set(numero, row);
    const session = shown(row);
    const change = before && changeBetween(before, session);
    if (!before) this.#push({ event: 'created', numero, session });
    else {
      const { passkey } = session;
      if (change) this.#push({ event: 'details', numero, change });
      if (!isSameStep(before.passkey, passkey)) {
        this.#push({ event: 'passkey', numero, passkey: passkey ?? null });
      }
    }
    const pushes = session.state === UNASSIGNED ? pushesBetween : pushesFrom;
    for (const push of pushes(before, session)) this.#push(push);
  }

  #take(rows: readonly SessionRow[], numeros: readonly string[] = [...this.#sessions.keys()]): void {
    const gone = new Set(numeros);
    for (const row of rows) {
      gone.delete(row.numero);
      this.#takeRow(row);
    }
    for (const numero of gone) this.#remove(numero);
  }

  #takeRow(row: SessionRow): void {
    const { numero, details, owner } = row;
    const [place, version] = [Number(row.place), Number(row.version)];
    // Deleted and created again.
    if (this.#sessions.get(numero)?.place !== place) this.#remove(numero);
    const known = this.#sessions.get(numero);
    if (known && (known.version > version || (known.version === version && known.owner === owner))) return;
    if (!areDetails(details)) this.#log.warn({ numero }, 'The details of a row are invalid: left out.');
    this.#numeros.set(row.id, numero);
    this.#set({ session: sessionOf(row), place, version, owner }, pushesBetween);
  }

  #remove(numero: string): void {
    const { session } = this.#sessions.get(numero) ?? {};
    if (!session || !this.#sessions.delete(numero)) return;
    this.#pairings.delete(numero);
    const key = numeroKey(numero);
    // It may have been added again in another form.
    if (this.#numeros.get(key) === numero) this.#numeros.delete(key);
    // The contract has no event for a removal: this at least tells other panels that the session is disconnected.
    this.#push({ event: 'disconnected', numero });
    const by = session.state === STATES.closing ? session.by : undefined;
    this.#push({ event: 'deleted', numero, ...(by !== undefined && { by }) });
  }
}

/** Returns a row as it is listed, without invalid details, which could not be sent. */
export function sessionOf({ numero, state, qr, waiting, details }: SessionRow): WireListItem {
  const known = areDetails(details) ? storedOf(details) : {};
  return { numero, state, ...(qr !== null && { qrCode: qr }), waiting, ...known };
}

function shown({ session, hiddenSince }: CachedSession): WireListItem {
  return hiddenSince === undefined ? session : { ...session, state: UNASSIGNED, since: hiddenSince };
}

function areDetails(details: unknown): details is WireDetails {
  return form.Check(details);
}

/** Whether nobody can send from a connected session: a list must not say that it is connected. */
function isHiddenFrom(
  silent: ReadonlySet<string> | undefined,
  { session, owner, isLate = false }: KnownSession,
): boolean {
  if (session.state !== STATES.connected) return false;
  return isLate || silent === undefined || owner === null || silent.has(owner);
}

/** Whether a session may be linked by a code. */
function isLinking({ waiting, qrCode }: WireListItem): boolean {
  return waiting || qrCode !== undefined;
}

function pushesBetween(before: WireListItem | undefined, after: WireListItem): StatePush[] {
  const { numero, state } = after;
  const wasLinked = before?.state === STATES.connected || before?.state === UNASSIGNED;
  // The session has not dropped.
  if (wasLinked && state === UNASSIGNED) return [{ event: 'change_state', numero, state }];
  // Only an end takes a code off the screen.
  const isVoid = before?.qrCode !== undefined && after.qrCode === undefined;
  const ended: StatePush[] = isVoid ? [{ event: 'disconnected', numero }] : [];
  return [...ended, ...pushesTo(after)];
}
