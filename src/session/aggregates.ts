import { keepIfEqual } from '../keep-if-equal.ts';
import { Observable } from '../observable.ts';
import { type Counts, count } from './counts.ts';
import { countSections, haveSameCounts, type Sections } from './sections.ts';
import type { SessionMap } from './session-map.ts';

/** Milliseconds for which changes are gathered into one count. */
const GATHER_MS = 250;

/** Counts sessions by bucket and by section, four times a second at most, however many change. */
export class Aggregates {
  readonly counts = new Observable<Counts>(count([]));
  readonly sections = new Observable<Sections>(countSections([]));
  /** Counts no more. */
  readonly stop: () => void;
  readonly #sessions: SessionMap;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(sessions: SessionMap) {
    this.#sessions = sessions;
    const ignore = sessions.changes.add(({ before, now }) => {
      if (before?.status === now?.status && before?.details.group === now?.details.group) return;
      this.#timer ??= setTimeout(() => this.count(), GATHER_MS);
    });
    this.stop = () => {
      ignore();
      clearTimeout(this.#timer);
    };
  }

  /** Counts at once. */
  count(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.counts.set(keepIfEqual(this.counts.get(), count(this.#sessions.records)));
    const sections = countSections(this.#sessions.records);
    if (!haveSameCounts(sections, this.sections.get())) this.sections.set(sections);
  }
}
