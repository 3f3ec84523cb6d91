import type { Observable } from '../observable.ts';
import type { Counts } from '../session/counts.ts';

/** Milliseconds between two looks at the title, which the page may change at any time. */
const LOOK_MS = 1000;

/** The panels' number. Its no-break space tells it from one of the page's own. */
const NUMBER = /^\(\d+\)\u00a0/;

/** The counts of all panels that are shown in the title: a page has one. */
const panels = new Set<Observable<Counts | undefined>>();

/** Shows how many sessions fell in front of the page's title; returns the function that takes it back. */
export function countInTitle(counts: Observable<Counts | undefined>): () => void {
  panels.add(counts);
  show();
  const stop = counts.subscribe(show);
  const timer = setInterval(show, LOOK_MS);
  return () => {
    stop();
    clearInterval(timer);
    panels.delete(counts);
    show();
  };
}

function show(): void {
  let dropped = 0;
  for (const counts of panels) dropped += counts.get()?.dropped ?? 0;
  const own = document.title.replace(NUMBER, '');
  const title = dropped === 0 ? own : `(${dropped})\u00a0${own}`;
  if (title !== document.title) document.title = title;
}
