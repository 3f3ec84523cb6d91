import type { Logger } from 'pino';
import type { Ledger } from '../ledger/ledger.ts';
import { reasonOf } from '../ledger/operations.ts';
import { StoreError } from '../ledger/store-error.ts';
import { type ChannelState, isWithin, newsIn, readState, type Situation, withNews } from './channel-state.ts';
import type { Messenger } from './messenger.ts';
import type { Notification } from './notification.ts';

/** The waits after the first failed attempts, in milliseconds. */
const BACKOFF = [20_000, 60_000, 5 * 60_000];
/** The wait after all later ones, in milliseconds. */
const LONGEST_WAIT = 15 * 60_000;
/**
 * Longest time of an attempt, in milliseconds: messages before this one, and the messenger's timeouts. Its gateway has
 * ended then.
 */
const LONGEST_ATTEMPT = 60_000;
/** When a notification is given up, in milliseconds after it was made. */
const GIVE_UP = 48 * 60 * 60_000;

export type NotificationOutcome = 'delivered' | 'failed' | 'given-up';

interface ChannelParts {
  readonly messenger: Messenger;
  /** How long what comes at the same time is waited for, in milliseconds. */
  readonly groupWait: number;
  /** Shortest time between two notifications, in milliseconds. */
  readonly interval: number;
  readonly store: ChannelStore;
  readonly observe: (outcome: NotificationOutcome) => void;
  readonly log: Logger;
}

/** A stored notification that was not delivered yet, as far as the store knows. */
type Pending = StoredState & { readonly notification: Notification };

/**
 * Tells what is new by one messenger: what comes together in one notification, and the next one when that was delivered or
 * given up. What was told, and what is still to be delivered, is in the store: gateways that share it take turns.
 */
export class Channel {
  readonly #parts: ChannelParts;
  /** Since when there is something new. */
  #newSince: number | undefined;
  /** The notification that was delivered, until the store knows. */
  #delivered: string | undefined;
  /** The last attempt of another gateway, by its version, and since when it is known, in milliseconds since 1970. */
  #foreign: { readonly version: string | undefined; readonly since: number } | undefined;
  #proceeding: Promise<void> | undefined;

  constructor(parts: ChannelParts) {
    this.#parts = parts;
  }

  /** Does what is due, unless it is about to. Failures are logged. */
  proceed(situation: Situation): void {
    this.#proceeding ??= this.#proceed(situation).finally(() => {
      this.#proceeding = undefined;
    });
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#proceeding;
  }

  async #proceed(situation: Situation): Promise<void> {
    const { store, log } = this.#parts;
    try {
      const stored = await store.read();
      if (!stored) return;
      const made = stored.state.pending ? stored : await this.#notify(stored, situation);
      const notification = made?.state.pending?.notification;
      if (made && notification) await this.#pursue({ ...made, notification }, situation.now);
    } catch (error) {
      // The store has logged its failures. Sessions must not end with a failure here; the next time is soon.
      if (!(error instanceof StoreError)) log.error({ err: error }, 'Notifications have failed.');
    }
  }

  /** Stores a notification of what is new, if it is time for one. */
  async #notify(stored: StoredState, situation: Situation): Promise<StoredState | undefined> {
    const { store, messenger, groupWait, interval } = this.#parts;
    const { state } = stored;
    const { now } = situation;
    const news = newsIn(state, situation);
    if (news.length === 0) {
      this.#newSince = undefined;
      return undefined;
    }
    this.#newSince ??= now;
    if (isWithin(groupWait, this.#newSince, now) || isWithin(interval, state.last, now)) return undefined;
    // What is told when it can be told is still so.
    if (!messenger.isReady()) return undefined;
    this.#newSince = undefined;
    return store.replace(stored, withNews(state, news, situation));
  }

  async #pursue(stored: Pending, now: number): Promise<void> {
    const { messenger } = this.#parts;
    const { id, at } = stored.notification;
    const { due = 0, trying } = stored.state.pending ?? {};
    if (id === this.#delivered) {
      await this.#settle(stored, 'delivered');
      return;
    }
    // One that is due much later is from before the clock was set back.
    const isWaiting = due > now && isWithin(2 * LONGEST_WAIT, due, now);
    if (trying ? this.#isUnderWay(stored.version, now) : isWaiting) return;
    if (trying && !messenger.isRepeatable) {
      return this.#giveUp(stored, 'A notification was given up: whether it has arrived is not known.');
    }
    if (now - at >= GIVE_UP)
      return this.#giveUp(stored, 'A notification was given up: it was not delivered.');
    if (messenger.isReady()) await this.#attempt(stored, now);
  }

  /** Whether another gateway may still try. By this gateway's clock alone: those of others may differ. */
  #isUnderWay(version: string | undefined, now: number): boolean {
    if (this.#foreign?.version !== version) this.#foreign = { version, since: now };
    return isWithin(LONGEST_ATTEMPT, this.#foreign?.since ?? now, now);
  }

  async #attempt(stored: Pending, now: number): Promise<void> {
    const { messenger, store, observe, log } = this.#parts;
    const attempts = (stored.state.pending?.attempts ?? 0) + 1;
    const { notification } = stored;
    const { id } = notification;
    const pending = { notification, attempts, due: now, trying: true };
    const taken = await store.replace(stored, { ...stored.state, pending });
    if (!taken) return;
    try {
      await messenger.deliver(notification);
    } catch (error) {
      observe('failed');
      log.warn(
        { id, attempts, reason: reasonOf(error) },
        'A notification was not delivered: it is tried again.',
      );
      const next = now + (BACKOFF[attempts - 1] ?? LONGEST_WAIT);
      const failed = { notification, attempts, due: next, trying: false };
      await store.replace(taken, { ...taken.state, pending: failed });
      return;
    }
    log.info({ id, counts: notification.counts }, 'A notification was delivered.');
    this.#delivered = id;
    await this.#settle(taken, 'delivered');
  }

  async #giveUp(stored: Pending, sentence: string): Promise<void> {
    const { id, counts } = stored.notification;
    if (await this.#settle(stored, 'given-up')) this.#parts.log.error({ id, counts }, sentence);
  }

  /** Resolves with whether no other gateway has done so. */
  async #settle(stored: StoredState, outcome: NotificationOutcome): Promise<boolean> {
    const { told, last } = stored.state;
    const settled = await this.#parts.store.replace(stored, { told, last });
    if (settled) this.#parts.observe(outcome);
    this.#delivered = undefined;
    return settled !== undefined;
  }
}

interface StoredState {
  readonly state: ChannelState;
  /** Undefined if nothing is stored. */
  readonly version: string | undefined;
}

const NOTHING: ChannelState = { told: {}, last: 0 };

/** Keeps the state of a channel for all gateways with the same store. Both methods reject with a `StoreError`. */
export class ChannelStore {
  readonly #ledger: () => Ledger;
  readonly #name: string;
  readonly #log: Logger;
  /** The last state that was read or written: to parse that of thousands of numbers at each look takes too long. */
  #last: StoredState = { state: NOTHING, version: undefined };

  constructor(ledger: () => Ledger, name: string, log: Logger) {
    this.#ledger = ledger;
    this.#name = name;
    this.#log = log;
  }

  /** Resolves with the state; undefined if that was damaged, and somebody else has replaced it. */
  async read(): Promise<StoredState | undefined> {
    const told = await this.#ledger().readTold(this.#name);
    if (told?.version === this.#last.version) return this.#last;
    const { version, text = '' } = told ?? {};
    const state = readState(text);
    if (state) {
      this.#last = { state, version };
      return this.#last;
    }
    this.#log.error('What was told of the numbers is damaged: what is still the case is told again.');
    return this.replace({ state: NOTHING, version }, NOTHING);
  }

  /** Resolves with the new state; undefined if somebody else has replaced the stored one meanwhile. */
  async replace({ version: before }: StoredState, state: ChannelState): Promise<StoredState | undefined> {
    const version = await this.#ledger().replaceTold(this.#name, JSON.stringify(state), before);
    if (version === undefined) return undefined;
    this.#last = { state, version };
    return this.#last;
  }
}
