import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { WireListItem, WireStability } from '../../src/wire.ts';
import type { VersionInUse } from './engines/whatsapp/version.ts';
import type { DiskTask, StoreFailure } from './ledger/store-error.ts';
import type { NotificationOutcome } from './notify/channel.ts';
import type { Messenger } from './notify/messenger.ts';
import type { Delay, Delivery, Stop } from './sessions/engine.ts';
import type { EngineNews, Outcome } from './sessions/engine-news.ts';
import { kindOf, STATE_KINDS } from './sessions/state-kinds.ts';
import type { Push } from './sessions/transitions.ts';

/** The values that the metrics read at each scrape. */
interface MetricsSources {
  readonly sessions: { readonly list: () => readonly WireListItem[]; readonly isReady: () => boolean };
  readonly sockets: () => number;
  /** How many characters wait for panels to read. */
  readonly backlog: () => number;
  /** The version of WhatsApp Web that is presented; missing unless phones are linked here. */
  readonly client?: (() => VersionInUse | undefined) | undefined;
  /** Missing if the gateway is alone. */
  readonly cluster?: (() => ClusterFigures) | undefined;
}

/** What a gateway knows of those with which it shares its sessions. */
export interface ClusterFigures {
  /** In seconds. */
  readonly lease: number;
  /** Seconds since the last good beat. */
  readonly leaseAge: number;
  /** How many gateways there are, this one included. */
  readonly nodes: number;
  /** Sessions that no gateway owns, as of the last beats. */
  readonly unassigned: number;
}

/*
 * All values of the labels of failures: a series has to begin at 0, or its first failure would be no increase.
 */
const STORE_FAILURES: Record<StoreFailure, 0> = {
  'store-full': 0,
  'store-failed': 0,
  moving: 0,
};
const OUTCOMES: Record<Outcome, 0> = { done: 0, refused: 0, failed: 0, ...STORE_FAILURES };
const DELIVERIES: Record<Delivery, 0> = {
  sent: 0,
  unconfirmed: 0,
  refused: 0,
  restricted: 0,
  'too-many': 0,
  'no-whatsapp': 0,
  'not-connected': 0,
  'no-answer': 0,
  'no-server': 0,
  ...STORE_FAILURES,
};
const ENDS: Record<'disconnected' | 'qr_timeout' | Stop['reason'], 0> = {
  disconnected: 0,
  qr_timeout: 0,
  passkey: 0,
  restricted: 0,
  replaced: 0,
  'other-number': 0,
};
const DELAYS: Record<Delay['reason'], 0> = {
  unreachable: 0,
  proxy: 0,
  'no-server': 0,
  relinking: 0,
  outdated: 0,
  'dead-keys': 0,
  banned: 0,
};

const CHANNELS: readonly Messenger['name'][] = ['webhook', 'whatsapp'];
const NOTIFICATIONS: Record<NotificationOutcome, 0> = { delivered: 0, failed: 0, 'given-up': 0 };

const PROBES = { answered: 0, unanswered: 0 } as const;

/** Up to the longest wait for WhatsApp's answer, in seconds. */
const DELIVERY_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30];
/** From a cached page to a disk that makes every session wait, in seconds. */
const STORE_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** The gateway's metrics and those of its process. Labels have few values: never a numero or a free text. */
export class Metrics {
  readonly registry = new Registry();
  readonly #pushes = new Counter({
    ...this.#named('pushes_total', 'Events pushed to the panels'),
    labelNames: ['event'],
  });
  readonly #requests = {
    start: this.#counter('starts_total', 'Starts of sessions', 'outcome', OUTCOMES),
    removal: this.#counter('deletions_total', 'Deletions of sessions', 'outcome', OUTCOMES),
    unlinking: this.#counter(
      'unlinkings_total',
      'Sessions that were unlinked but not deleted',
      'outcome',
      OUTCOMES,
    ),
  };
  readonly #deliveries = this.#counter('deliveries_total', 'Messages, per recipient', 'outcome', DELIVERIES);
  readonly #ends = this.#counter('ends_total', 'Ends of sessions that nobody asked for', 'reason', ENDS);
  readonly #delays = this.#counter('delays_total', 'Sessions that cannot go on for now', 'reason', DELAYS);
  readonly #probes = this.#counter('probes_total', 'Probes of silent sessions', 'outcome', PROBES);
  readonly #notifications = new Counter({
    ...this.#named('notifications_total', 'Attempts to tell people who do not look'),
    labelNames: ['channel', 'outcome'],
  });
  readonly #reconnections = new Counter({
    ...this.#named('reconnections_total', 'Sessions that are connected again after a loss'),
  });
  readonly #delivery = new Histogram({
    ...this.#named('delivery_seconds', 'Time from a message to its outcome'),
    buckets: DELIVERY_BUCKETS,
  });
  readonly #store = new Histogram({
    ...this.#named('store_seconds', 'Time of an operation of the store'),
    labelNames: ['task'],
    buckets: STORE_BUCKETS,
  });
  /** Numeros of the sessions that try to reach WhatsApp. */
  readonly #away = new Set<string>();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    for (const channel of CHANNELS) {
      for (const outcome of Object.keys(NOTIFICATIONS)) this.#notifications.inc({ channel, outcome }, 0);
    }
  }

  /** Adds the values that are read at each scrape. */
  read({ sessions, sockets, backlog, client, cluster }: MetricsSources): void {
    this.#gauge('sessions_away', 'Sessions that try to reach WhatsApp', () => this.#away.size);
    this.#gauge('sockets', 'Connected panels', sockets);
    this.#gauge('socket_backlog_characters', 'Pushed and not yet read by the panels', backlog);
    this.#gauge('ready', '1 while sessions can be started', () => Number(sessions.isReady()));
    new Gauge({
      ...this.#named('sessions', 'Sessions by kind of state'),
      labelNames: ['state'],
      collect() {
        for (const state of STATE_KINDS) this.set({ state }, 0);
        for (const session of sessions.list()) this.inc({ state: kindOf(session) });
      },
    });
    const sum = (value: (session: WireListItem) => number) => () =>
      sessions.list().reduce((total, session) => total + value(session), 0);
    const stable = (value: (stability: WireStability) => number) =>
      sum(({ stability }) => (stability ? value(stability) : 0));
    this.#gauge(
      'sessions_restricted',
      'Sessions that WhatsApp does not let write to new contacts',
      sum(({ restricted }) => Number(restricted !== undefined)),
    );
    this.#gauge(
      'sessions_silent',
      'Sessions for which WhatsApp does not answer',
      sum(({ reason }) => Number(reason?.code === 'silent')),
    );
    this.#gauge(
      'drops_30d',
      'How often the sessions dropped in the last 30 days',
      stable(({ drops }) => drops),
    );
    this.#gauge(
      'away_30d_seconds',
      'How long the sessions were away in the last 30 days',
      stable(({ away }) => away / 1_000),
    );
    if (client) this.#readClient(client);
    if (cluster) this.#readCluster(cluster);
  }

  #readClient(read: () => VersionInUse | undefined): void {
    new Gauge({
      ...this.#named('client_version_info', 'The version of WhatsApp Web that is presented'),
      labelNames: ['version', 'source'],
      collect() {
        this.reset();
        const { version, source } = read() ?? {};
        if (version !== undefined && source !== undefined) this.set({ version, source }, 1);
      },
    });
    const help = 'Time since WhatsApp confirmed that version; NaN if it never has';
    this.#gauge(
      'client_version_age_seconds',
      help,
      () => (Date.now() - (read()?.confirmed ?? Number.NaN)) / 1_000,
    );
  }

  #readCluster(read: () => ClusterFigures): void {
    this.#gauge(
      'cluster_lease_seconds',
      'Time without a beat after which others take over',
      () => read().lease,
    );
    this.#gauge('cluster_lease_age_seconds', 'Time since the last good beat', () => read().leaseAge);
    this.#gauge('cluster_nodes', 'Gateways that share the sessions', () => read().nodes);
    this.#gauge('cluster_unassigned', 'Sessions that no gateway owns', () => read().unassigned);
  }

  /** Counts what happens at the engine. */
  readonly observe = (numero: string, news: EngineNews): void => {
    switch (news.type) {
      case 'request': {
        const { request, outcome } = news;
        this.#requests[request].inc({ outcome });
        // A start that has begun, or a session that stays, changes nothing yet.
        if ((request === 'start') === (outcome === 'done')) return;
        break;
      }
      case 'message':
        this.#deliveries.inc({ outcome: news.delivery });
        this.#delivery.observe(news.milliseconds / 1_000);
        return;
      case 'delayed':
        this.#delays.inc({ reason: news.reason });
        this.#away.add(numero);
        return;
      case 'state':
        if (news.state === 'CONNECTED') this.#present(numero);
        else this.#away.add(numero);
        return;
      case 'ready':
        this.#present(numero);
        return;
      case 'name':
      case 'pairing':
      case 'signal':
      case 'limited':
      case 'quota':
        return;
      case 'probe':
        this.#probes.inc({ outcome: news.isAnswered ? 'answered' : 'unanswered' });
        return;
      case 'disconnected':
      case 'qr_timeout':
      case 'stopped': {
        const isAsked = news.type === 'disconnected' && news.reason === 'unlinked';
        if (!isAsked) this.#ends.inc({ reason: news.type === 'stopped' ? news.reason : news.type });
      }
    }
    this.#away.delete(numero);
  };

  readonly pushed = ({ event }: Push): void => this.#pushes.inc({ event });

  readonly notified = (channel: Messenger['name'], outcome: NotificationOutcome): void =>
    this.#notifications.inc({ channel, outcome });

  readonly stored = (task: DiskTask, milliseconds: number): void =>
    this.#store.observe({ task }, milliseconds / 1_000);

  #present(numero: string): void {
    if (this.#away.delete(numero)) this.#reconnections.inc();
  }

  #named(name: string, help: string) {
    return { name: `whatsapp_gateway_${name}`, help, registers: [this.registry] };
  }

  #counter<T extends string>(name: string, help: string, label: T, values: Record<string, 0>): Counter<T> {
    const counter = new Counter({ ...this.#named(name, help), labelNames: [label] });
    for (const value of Object.keys(values)) counter.labels(value).inc(0);
    return counter;
  }

  #gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      ...this.#named(name, help),
      collect() {
        this.set(read());
      },
    });
  }
}
