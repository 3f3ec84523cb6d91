import type { Push, TimedEvent } from './session.ts';

/**
 * The events since a call was made, whose answer may be older, the oldest first. A call may take long: only the last event
 * of each type and numero is kept, with the changes of details merged, since they lead to the same session.
 */
export type Journal = Map<string, TimedEvent>;

export function addTo(journal: Journal, event: TimedEvent): void {
  const { type, numero } = event;
  const key = type === 'ack' ? `ack ${numero} ${event.id}` : `${type} ${numero}`;
  const last = journal.get(key);
  // Setting an existing key would keep its old place in the order.
  journal.delete(key);
  // These replace all that is known of a session: details from before are not merged with later ones.
  if (type === 'created' || type === 'deleted') journal.delete(`details ${numero}`);
  const isMerged = type === 'details' && last?.type === 'details';
  journal.set(key, isMerged ? { ...event, change: { ...last.change, ...event.change } } : event);
}

/** Milliseconds of a turn, and how many of them a flood may take. The rest is left for the operator. */
const TURN_MS = 100;
const FLOOD_MS = 50;
/** How many pushes of a turn are processed at once; more are a flood. */
const AT_ONCE = 50;

/**
 * Passes pushes on at once. Of a flood it passes on only the last of each kind and session, turn by turn, so that the page
 * responds to the operator whatever a server sends.
 */
export function limitPushes(take: (event: TimedEvent) => void, taken: () => void) {
  const waiting: Journal = new Map();
  let left = AT_ONCE;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function turn(): void {
    const isFlood = waiting.size > 0;
    timer = isFlood ? setTimeout(turn, TURN_MS) : undefined;
    left = isFlood ? 0 : AT_ONCE;
    takeAll();
  }

  /** Stops when the turn's time is over. */
  function takeAll(): void {
    const end = performance.now() + FLOOD_MS;
    for (const [key, event] of waiting) {
      waiting.delete(key);
      take(event);
      if (performance.now() > end) break;
    }
    taken();
  }

  return {
    add(event: Push): void {
      timer ??= setTimeout(turn, TURN_MS);
      addTo(waiting, { ...event, at: Date.now() });
      left -= 1;
      if (left >= 0) takeAll();
    },
    stop: () => clearTimeout(timer),
  };
}
