import type { WireHistoryEntry, WireStability } from '../../../src/wire.ts';
import { KEPT } from '../ledger/archive.ts';
import { ignoreStoreError } from '../ledger/store-error.ts';
import type { Health } from './health.ts';
import type { Listing } from './listing.ts';
import { outagesIn } from './outages.ts';
import type { SessionRecord } from './record.ts';

const DAY = 24 * 60 * 60_000;

/** Wait after an event, so that a session that comes and goes is read once, in milliseconds. */
const DELAY = 2_000;
/** Pause between two histories, and between two rounds, in milliseconds. */
const PAUSE = 50;
const AGAIN = DAY / 4;

/**
 * Returns how reliable a session has been in the time of which a history is kept; undefined if it has not dropped.
 *
 * @param entries the newest first
 * @param now in milliseconds since 1970
 */
export function stabilityOf(entries: readonly WireHistoryEntry[], now: number): WireStability | undefined {
  const begin = Math.max(entries.at(-1)?.at ?? now, now - KEPT.time);
  const outages = outagesIn(entries).filter(({ to = now }) => to > begin);
  if (outages.length === 0) return undefined;
  return {
    days: Math.max(1, Math.ceil((now - begin) / DAY)),
    drops: outages.filter(({ from }) => from >= begin).length,
    // A clock that was set back leaves drops in the future.
    away: outages.reduce((sum, { from, to = now }) => sum + Math.max(0, to - Math.max(from, begin)), 0),
  };
}

/** What is read and told of a session. */
interface Read {
  readonly shown: Listing['shown'];
  readonly record: Pick<SessionRecord, 'history'>;
  readonly health: Pick<Health, 'setStability'>;
}

/**
 * Reads the histories of sessions that have dropped or come back, one after the other, since many may drop at once; and
 * now and then those of all that have dropped, which time forgives.
 */
export class StabilityReader {
  readonly #due = new Set<Read>();
  readonly #again: NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param sessions returns those of this process */
  constructor(sessions: () => readonly Read[]) {
    this.#again = setInterval(() => {
      for (const session of sessions()) if (session.shown?.stability) this.add(session);
    }, AGAIN).unref();
  }

  /** Reads a session's history soon. */
  add(session: Read): void {
    this.#due.add(session);
    this.#timer ??= this.#after(DELAY);
  }

  close(): void {
    this.#isClosed = true;
    this.#due.clear();
    clearInterval(this.#again);
    clearTimeout(this.#timer);
  }

  #after(ms: number): NodeJS.Timeout {
    return setTimeout(() => void this.#read(), ms).unref();
  }

  async #read(): Promise<void> {
    const [session] = this.#due;
    if (session) {
      this.#due.delete(session);
      try {
        const entries = await session.record.history(KEPT.entries);
        if (!this.#isClosed) session.health.setStability(stabilityOf(entries, Date.now()));
      } catch (error) {
        // The next event tries again.
        ignoreStoreError(error);
      }
    }
    this.#timer = this.#due.size > 0 && !this.#isClosed ? this.#after(PAUSE) : undefined;
  }
}
