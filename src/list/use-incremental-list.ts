import { startTransition, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';

/** More than a screen shows. */
const FIRST = 50;
/** Every step costs the browser a look at all cards, and a large one keeps it busy: measured with five thousand. */
const STEP = 400;

/**
 * The beginning of a long list at once, and the rest of it step by step, each when the browser has shown the one before
 * and nobody waits for anything else: the first cards of thousands are there as soon as those of twenty.
 *
 * What is shown stays, wherever in the list it comes to stand: its card may have what somebody typed.
 *
 * @param whole asks for all of it now, and then it stays whole
 */
export function useGradually(list: readonly string[], whole: boolean): readonly string[] {
  const [count, setCount] = useState(FIRST);
  const more = !whole && list.length > count;
  const shown = useRef<ReadonlySet<string>>(new Set());

  useLayoutEffect(() => {
    if (whole) setCount(Number.POSITIVE_INFINITY);
  }, [whole]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each step is followed by the next
  useEffect(() => {
    if (more) startTransition(() => setCount((before) => before + STEP));
  }, [more, count]);

  const cards = useMemo(
    () => (more ? list.filter((item, index) => index < count || shown.current.has(item)) : list),
    [list, more, count],
  );
  useLayoutEffect(() => {
    shown.current = new Set(cards);
  }, [cards]);
  return cards;
}
