import { keepIfEqual } from '../keep-if-equal.ts';
import { Observable } from '../observable.ts';
import { type Counts, count } from './counts.ts';
import { countSections, haveSameCounts, type Sections } from './sections.ts';
import type { SessionMap } from './session-map.ts';

/** Milliseconds for which changes are gathered into one count. */
const GATHER_MS = 250;

/** Counts sessions by bucket and by section, four times a second at most, however many change. */
export function createAggregates(sessions: SessionMap) {
  const counts = new Observable<Counts>(count([]));
  const sections = new Observable<Sections>(countSections([]));
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Counts at once. */
  function update(): void {
    clearTimeout(timer);
    timer = undefined;
    counts.set(keepIfEqual(counts.get(), count(sessions.records)));
    const now = countSections(sessions.records);
    if (!haveSameCounts(now, sections.get())) sections.set(now);
  }

  const ignore = sessions.changes.add(({ before, now }) => {
    if (before?.status === now?.status && before?.details.group === now?.details.group) return;
    timer ??= setTimeout(update, GATHER_MS);
  });

  return {
    counts,
    sections,
    update,
    /** Counts no more. */
    stop(): void {
      ignore();
      clearTimeout(timer);
    },
  };
}
