import { randomUUID } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { STATES, type WireListItem } from '../../../src/wire.ts';
import { parseJson } from '../json.ts';
import { INCIDENTS, type Incident } from './incidents.ts';
import { EVENTS, type Item, Notification, type NotifiedEvent } from './notification.ts';

/** How long the same thing is not told again of the same number, in milliseconds. */
const WINDOW = 60 * 60_000;
/** How long a number that is not listed is remembered, in milliseconds: another server may be away. */
const UNLISTED = 24 * WINDOW;
/** Most numbers that a notification names: receivers refuse long ones. */
const MOST_ITEMS = 100;

const Told = Type.Object({
  /** The incident that was told, and that is not over. */
  open: Type.Optional(Type.Enum([...INCIDENTS])),
  /** When each event was told last, in milliseconds since 1970. */
  at: Type.Partial(Type.Record(Type.Enum([...EVENTS]), Type.Number())),
});

const State = Type.Object({
  /** By numero. */
  told: Type.Record(Type.String(), Told),
  /** When the last notification was made, in milliseconds since 1970. */
  last: Type.Number(),
  pending: Type.Optional(
    Type.Object({
      notification: Notification,
      attempts: Type.Number(),
      /** When the next attempt is due, in milliseconds since 1970. */
      due: Type.Number(),
      /** Whether the last attempt has not ended, as far as the store knows. */
      trying: Type.Boolean(),
    }),
  ),
});

/** What a channel has told, and the notification that it has still to deliver. */
export type ChannelState = Static<typeof State>;

/** Returns a stored state; undefined if it is damaged: what is still the case is then told again. */
export function readState(text: string): ChannelState | undefined {
  const value = parseJson(text);
  return Value.Check(State, value) ? value : undefined;
}

/** What is the case. */
export interface Situation {
  readonly sessions: readonly WireListItem[];
  /** By numero. */
  readonly incidents: ReadonlyMap<string, Incident>;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** Whether a moment is less than a span away: the clock may have been set back, or be another gateway's. */
export function isWithin(span: number, moment: number, now: number): boolean {
  return Math.abs(now - moment) < span;
}

/** Returns what a channel has not told yet. */
export function newsIn({ told }: ChannelState, { sessions, incidents, now }: Situation): Item[] {
  return sessions.flatMap((session) => {
    const { numero, state, label, name, group, reason, restricted } = session;
    const { open, at = {} } = told[numero] ?? {};
    const incident = incidents.get(numero);
    const event = eventOf(open, incident, state === STATES.connected);
    if (!event || isWithin(WINDOW, at[event] ?? 0, now)) return [];
    const shownName = label ?? name;
    const why = (event === 'restricted' && restricted) || reason;
    return {
      numero,
      event,
      ...(shownName !== undefined && { name: shownName }),
      ...(group !== undefined && { group }),
      state,
      ...(why && { reason: why.text }),
      ...(why?.until !== undefined && { until: why.until }),
      since: incident?.since ?? session.since ?? now,
    };
  });
}

function eventOf(
  open: Incident['kind'] | undefined,
  incident: Incident | undefined,
  isConnected: boolean,
): NotifiedEvent | undefined {
  if (incident) {
    // A session that needs a person, and that somebody has begun to link, is merely away. A restricted one was connected.
    const isKnown =
      incident.kind === 'away' ? open !== undefined && open !== 'restricted' : open === incident.kind;
    return isKnown ? undefined : incident.kind;
  }
  return open && isConnected ? 'back' : undefined;
}

/** Returns the state with a notification of the news. */
export function withNews(
  { told }: ChannelState,
  news: readonly Item[],
  { sessions, now }: Situation,
): ChannelState {
  const listed = new Set(sessions.map(({ numero }) => numero));
  const kept = Object.entries(told).filter(([numero, { open, at }]) => {
    const last = Math.max(0, ...Object.values(at));
    return listed.has(numero) ? open || isWithin(WINDOW, last, now) : isWithin(UNLISTED, last, now);
  });
  const added = news.map(({ numero, event }) => {
    const at = { ...told[numero]?.at, [event]: now };
    return [numero, event === 'back' ? { at } : { open: event, at }];
  });
  const counts: Notification['counts'] = {};
  for (const { event } of news) counts[event] = (counts[event] ?? 0) + 1;
  const notification: Notification = {
    id: `msg_${randomUUID()}`,
    at: now,
    total: sessions.length,
    counts,
    items: news.slice(0, MOST_ITEMS),
  };
  return {
    told: Object.fromEntries([...kept, ...added]),
    last: now,
    pending: { notification, attempts: 0, due: now, trying: false },
  };
}
