import type { Logger } from 'pino';
import type { Ledger } from '../ledger/ledger.ts';
import type { Registry } from '../sessions/registry.ts';
import { Channel, ChannelStore, type NotificationOutcome } from './channel.ts';
import { Incidents } from './incidents.ts';
import type { Messenger } from './messenger.ts';
import { Supervisor } from './supervisor.ts';
import { Webhook, type WebhookOptions } from './webhook.ts';

const AFTER = 2 * 60_000;

/** In milliseconds. */
interface NotifyTimings {
  /** How often the sessions are looked at. Not at each push: a thousand of them may come in a second. */
  readonly poll: number;
  /** How long what comes at the same time is waited for: Alertmanager's `group_wait`. */
  readonly groupWait: number;
  /** Shortest time between two notifications of a channel; undefined for the channel's own. */
  readonly interval?: number | undefined;
}

const TIMINGS: NotifyTimings = { poll: 5_000, groupWait: 10_000 };

export interface NotifyOptions {
  readonly webhook?: WebhookOptions | undefined;
  /** The numero of a supervisor, who is told by WhatsApp. */
  readonly whatsapp?: string | undefined;
  /** How long a number is away before that is told, in milliseconds. Default 2 minutes. */
  readonly after?: number | undefined;
  /** Shorter ones are for tests. */
  readonly timings?: Partial<NotifyTimings> | undefined;
}

/** Returns by what people are told, in the operators' words. */
export function channelsOf({ webhook, whatsapp }: NotifyOptions): string {
  return [webhook && 'webhook', whatsapp !== undefined && 'WhatsApp'].filter(Boolean).join(' y ');
}

interface NotifierParts {
  readonly sessions: Pick<Registry, 'list' | 'isReady' | 'own' | 'send'>;
  readonly ledger: () => Ledger;
  readonly observe: (channel: Messenger['name'], outcome: NotificationOutcome) => void;
  readonly log: Logger;
}

/** Tells those who do not look at a panel what is the matter with the numbers. */
export class Notifier {
  readonly #timings: NotifyTimings;
  readonly #parts: NotifierParts;
  readonly #incidents: Incidents;
  readonly #webhook: Webhook | undefined;
  readonly #channels: readonly Channel[];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: NotifyOptions, parts: NotifierParts) {
    const { webhook, whatsapp, after = AFTER } = options;
    this.#timings = { ...TIMINGS, ...options.timings };
    this.#parts = parts;
    this.#incidents = new Incidents(after);
    this.#webhook = webhook && new Webhook(webhook);
    const supervisor = whatsapp === undefined ? undefined : new Supervisor(whatsapp, parts.sessions);
    this.#channels = [this.#webhook, supervisor].flatMap((messenger) =>
      messenger ? this.#channel(messenger) : [],
    );
  }

  /** Begins to look at the sessions. */
  start(): void {
    this.#timer = setInterval(() => this.#poll(), this.#timings.poll);
  }

  /** Begins no more notifications. */
  stop(): void {
    clearInterval(this.#timer);
  }

  /** Stops. Resolves when what is under way has ended. */
  async close(): Promise<void> {
    this.stop();
    await this.#webhook?.close();
    await Promise.all(this.#channels.map((channel) => channel.settled()));
  }

  #poll(): void {
    const { sessions } = this.#parts;
    if (!sessions.isReady) return;
    const [list, now] = [sessions.list(), Date.now()];
    const situation = { sessions: list, incidents: this.#incidents.in(list, now), now };
    for (const channel of this.#channels) channel.proceed(situation);
  }

  #channel(messenger: Messenger): Channel {
    const { ledger, log, observe } = this.#parts;
    const { groupWait, interval = messenger.interval } = this.#timings;
    const channelLog = log.child({ channel: messenger.name });
    return new Channel({
      messenger,
      groupWait,
      interval,
      store: new ChannelStore(ledger, messenger.name, channelLog),
      observe: (outcome) => observe(messenger.name, outcome),
      log: channelLog,
    });
  }
}
