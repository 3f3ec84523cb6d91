import { memo, type ReactNode, type RefObject, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { SessionCard } from '../card/session-card.tsx';
import { usePanel } from '../panel-context.ts';
import { type ListState, visibleIn } from './list-view.ts';
import { onRowKey } from './row-keys.ts';
import { SectionHeading } from './section-heading.tsx';
import { useReveal } from './use-reveal.ts';

/** More cards than a screen shows: they are there at once, the rest once the codes on the screen are drawn. */
const FIRST = 50;
/** As many as are whole from the beginning: hardly fewer than a screen shows. */
const FIRST_WHOLE = { cards: 6, list: 12 };

interface Props {
  readonly grid: RefObject<HTMLDivElement | null>;
  readonly state: ListState;
  readonly hasNames: boolean;
  /** The session to scroll to. */
  readonly revealed: string | undefined;
}

/** The cards or rows of all sessions. The first are there as soon as they would be without the others. */
export function Grid({ grid, state, hasNames, revealed }: Props) {
  const { cards, nearness, drawingQueue } = usePanel();
  const [areFirstDrawn, setFirstDrawn] = useState(false);
  useEffect(() => drawingQueue.whenEmpty(() => setFirstDrawn(true)), [drawingQueue]);
  const first = useMemo(() => ({ ...state, numeros: visibleIn(state).slice(0, FIRST) }), [state]);
  const shown = useDeferredValue(areFirstDrawn ? state : first);
  useState(() => {
    for (const numero of visibleIn(state).slice(0, FIRST_WHOLE[state.view]))
      cards.update(numero, { outline: false });
  });
  useReveal(grid, revealed, shown.numeros);
  useEffect(() => {
    const panel = grid.current?.closest<HTMLElement>('.panel');
    // Once the focus is where it goes.
    const left = () => setTimeout(nearness.release);
    panel?.addEventListener('focusout', left);
    return () => panel?.removeEventListener('focusout', left);
  }, [grid, nearness]);
  const isList = shown.view === 'list';

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to its cards
    <div
      ref={grid}
      className={isList ? 'grid rows' : 'grid'}
      data-named={hasNames || undefined}
      part="grid"
      onKeyDown={isList ? (event) => onRowKey(event, cards, nearness) : undefined}
      onFocus={(event) => nearness.focused(event)}
    >
      <Cards state={shown} />
    </div>
  );
}

/** Renders only when a session comes, goes, moves, or is filtered out or no longer. */
const Cards = memo(function Cards({ state: { numeros, sections, view, found } }: { state: ListState }) {
  const panel = usePanel();
  const shownSections = found && new Set(Array.from(found, (numero) => sections?.get(numero)));
  const children: ReactNode[] = [];
  let last: string | undefined;
  for (const numero of numeros) {
    const section = sections?.get(numero);
    if (section !== undefined && section !== last) {
      const hidden = shownSections?.has(section) === false;
      children.push(<SectionHeading key={`\n${section}`} section={section} hidden={hidden} />);
      last = section;
    }
    children.push(
      <SessionCard
        key={numero}
        numero={numero}
        panel={panel}
        view={view}
        hidden={found?.has(numero) === false}
        inSection={sections !== undefined}
      />,
    );
  }
  return children;
});
