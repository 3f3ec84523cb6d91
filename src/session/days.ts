/** How a session has been, day by day, as pure functions. */
import type { WireStability } from '../wire.ts';
import { outagesIn } from './outages.ts';

/** A day by the browser's time zone. */
export interface Day {
  /** Its first moment, in milliseconds since 1970. */
  readonly begin: number;
  /** How often the session dropped on it; undefined where the history does not reach back so far. */
  readonly drops: number | undefined;
  /** How long it was away on it, in milliseconds. */
  readonly away: number;
}

/** How many days there are. */
const COUNT = 30;

/**
 * Returns the last thirty days, today last.
 *
 * @param entries - the history of the session, the newest first, at moments by the browser's clock
 */
export function daysOf(entries: Parameters<typeof outagesIn>[0], now: number): readonly Day[] {
  const outages = outagesIn(entries);
  const known = entries.at(-1)?.at ?? Infinity;
  return Array.from({ length: COUNT }, (_, index) => {
    const begin = midnight(now, index + 1 - COUNT);
    const end = midnight(now, index + 2 - COUNT);
    let drops = 0;
    let away = 0;
    for (const { from, to = now } of outages) {
      if (from >= begin && from < end) drops += 1;
      away += Math.max(0, Math.min(to, end) - Math.max(from, begin));
    }
    return { begin, drops: known < end ? drops : undefined, away };
  });
}

/** Returns how reliable the session has been on the days that its history covers; undefined where it covers none. */
export function stabilityOn(days: readonly Day[]): WireStability | undefined {
  const total = { days: 0, drops: 0, away: 0 };
  for (const { drops, away } of days) {
    if (drops === undefined) continue;
    total.days += 1;
    total.drops += drops;
    total.away += away;
  }
  return total.days > 0 ? total : undefined;
}

/** The first moment of a day that is so many days later: days may have 23 or 25 hours. */
function midnight(now: number, later: number): number {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  return day.setDate(day.getDate() + later);
}
