import { Journal, type JournalEntry } from './journal.ts';
import type { Push } from './session.ts';

/** Milliseconds of a turn, and of those the ones that a flood may take. The rest is the operator's. */
const TURN_MS = 100;
const FLOOD_MS = 50;
/** How many pushes of a turn are taken as they come; more are a flood. */
const AT_ONCE = 50;

/**
 * Takes pushes as they come. Of a flood it takes only the last of each kind about a session, turn by turn: whatever a
 * server sends, the page answers the operator. Returns what adds a push, and what ends it.
 *
 * @param taken - called after one push, or after those of a turn
 */
export function createIntake(take: (entry: JournalEntry) => void, taken: () => void) {
  const waiting = new Journal();
  let left = AT_ONCE;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function turn(): void {
    const isFlood = waiting.size > 0;
    timer = isFlood ? setTimeout(turn, TURN_MS) : undefined;
    left = isFlood ? 0 : AT_ONCE;
    takeAll();
  }

  /** As far as the time reaches. */
  function takeAll(): void {
    const end = performance.now() + FLOOD_MS;
    for (const entry of waiting.drain()) {
      take(entry);
      if (performance.now() > end) break;
    }
    taken();
  }

  return {
    add(event: Push): void {
      timer ??= setTimeout(turn, TURN_MS);
      waiting.add({ event, at: Date.now() });
      left -= 1;
      if (left >= 0) takeAll();
    },
    stop: () => clearTimeout(timer),
  };
}
