import { startTransition, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';

/** More than a screen shows. */
const FIRST = 50;
/** Measured with five thousand: each step makes the browser look at all cards, and a large one blocks it. */
const STEP = 400;

/**
 * Returns the beginning of a long list at once, and the rest step by step, each when the one before is on the screen and
 * nothing else waits: the first cards of thousands are there as soon as those of twenty.
 *
 * What is shown stays, wherever in the list it moves: its card may hold typed text.
 *
 * @param whole - asks for all of it now; then it stays whole
 */
export function useIncrementalList(list: readonly string[], whole: boolean): readonly string[] {
  const [count, setCount] = useState(FIRST);
  const more = !whole && list.length > count;
  const shown = useRef<ReadonlySet<string>>(new Set());

  useLayoutEffect(() => {
    if (whole) setCount(Infinity);
  }, [whole]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each step is followed by the next
  useEffect(() => {
    if (more) startTransition(() => setCount((before) => before + STEP));
  }, [more, count]);

  const items = useMemo(
    () => (more ? list.filter((item, index) => index < count || shown.current.has(item)) : list),
    [list, more, count],
  );
  useLayoutEffect(() => {
    shown.current = new Set(items);
  }, [items]);
  return items;
}
