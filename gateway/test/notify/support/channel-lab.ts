import { type Logger, pino } from 'pino';
import { STATES, type WireListItem } from '../../../../src/wire.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { Channel, ChannelStore, type NotificationOutcome } from '../../../src/notify/channel.ts';
import { Incidents } from '../../../src/notify/incidents.ts';
import type { Messenger } from '../../../src/notify/messenger.ts';
import type { Notification } from '../../../src/notify/notification.ts';
import { MemoryLedger } from '../../support/memory-ledger.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** How often gateways look at the sessions. */
const LOOK = 5 * SECOND;

/** The numero of one of many sessions. */
export function numeroOf(index: number): string {
  return String(5_215_550_000_000 + index);
}

/** A connected session. */
export function connected(numero: string): WireListItem {
  return { numero, state: STATES.connected, waiting: false };
}

/** A session that is not connected. */
export function fallen(numero: string, code: string, since?: number): WireListItem {
  const reason = { code, text: `Por ${code}` };
  return {
    numero,
    state: STATES.disconnected,
    waiting: false,
    reason,
    ...(since !== undefined && { since }),
  };
}

/** A channel of one gateway, and the time that passes for it. */
export class ChannelLab {
  now = Date.UTC(2026, 10, 24);
  sessions: WireListItem[] = [];
  /** What each attempt comes to. */
  receive: (notification: Notification) => Promise<void> | void = () => {};
  /** Whether it can try to deliver anything. */
  isReady = true;
  readonly attempts: Notification[] = [];
  readonly outcomes: NotificationOutcome[] = [];
  readonly lines: string[] = [];
  readonly #channel: Channel;
  readonly #incidents: Incidents;

  /** @param ledger the one of another gateway, or of the same before its restart */
  constructor({
    ledger = new MemoryLedger(),
    after = 2 * MINUTE,
    interval = MINUTE,
    isRepeatable = true,
  }: { ledger?: Ledger; after?: number; interval?: number; isRepeatable?: boolean } = {}) {
    const messenger: Messenger = {
      name: 'webhook',
      interval,
      isRepeatable,
      isReady: () => this.isReady,
      deliver: async (notification) => {
        this.attempts.push(notification);
        await this.receive(notification);
      },
    };
    this.#incidents = new Incidents(after);
    const log = logTo(this.lines);
    this.#channel = new Channel({
      messenger,
      groupWait: 10 * SECOND,
      interval,
      store: new ChannelStore(() => ledger, 'webhook', log),
      observe: (outcome) => this.outcomes.push(outcome),
      log,
    });
  }

  /** Lets time pass, during which the gateway looks at the sessions as often as it does. */
  async pass(milliseconds: number): Promise<void> {
    // Days in fewer looks.
    const look = Math.max(LOOK, milliseconds / 1_000);
    for (const end = this.now + milliseconds; this.now < end; ) {
      this.now += Math.min(look, end - this.now);
      await this.look();
    }
  }

  async look(): Promise<void> {
    const { sessions, now } = this;
    this.#channel.proceed({ sessions, now, incidents: this.#incidents.in(sessions, now) });
    await this.#channel.settled();
  }

  /** What was told in each attempt, by numero. */
  get told(): string[][] {
    return this.attempts.map(({ items }) => items.map(({ numero, event }) => `${numero} ${event}`));
  }
}

function logTo(lines: string[]): Logger {
  return pino({ base: null, timestamp: false }, { write: (line) => lines.push(line) });
}
