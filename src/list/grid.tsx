import { PureComponent, type RefObject, useDeferredValue, useEffect, useLayoutEffect, useState } from 'react';
import { SessionCard } from '../card/session-card.tsx';
import { type PanelShared, usePanel, useSelector } from '../context/panel-context.ts';
import { countSections } from '../session/counts.ts';
import * as texts from '../texts.ts';
import { focusedNear } from '../ui/focus.ts';
import { type ListState, visibleIn } from './list-view.ts';
import { onRowKey } from './row-keys.ts';

/** How many cards appear at once, more than a screen shows. The rest follow when the codes on the screen are drawn. */
const FIRST = 50;
/** How many are whole from the start: about as many as a screen shows. */
const FIRST_WHOLE = { cards: 6, list: 12 };

interface Props {
  readonly grid: RefObject<HTMLDivElement | null>;
  readonly state: ListState;
  readonly hasNames: boolean;
}

/** The cards or rows of all sessions. The first appear as fast as if there were no others. */
export function Grid({ grid, state, hasNames }: Props) {
  const panel = usePanel();
  const { cards, nearness, drawingQueue } = panel;
  const [areFirstDrawn, setFirstDrawn] = useState(false);
  useEffect(() => drawingQueue.whenEmpty(() => setFirstDrawn(true)), [drawingQueue]);
  const shown = useDeferredValue(state);
  const whole = useDeferredValue(areFirstDrawn);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the others become whole near the screen
  useLayoutEffect(() => {
    for (const numero of visibleIn(state).slice(0, FIRST_WHOLE[state.view]))
      cards.update(numero, { outline: false });
  }, []);
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
      // Screen readers click without a focus.
      onClick={({ target }) => nearness.focused({ target, relatedTarget: null })}
      // Once the focus is where it goes.
      onBlur={() => setTimeout(nearness.release)}
    >
      <Cards grid={grid} panel={panel} state={shown} whole={whole} />
    </div>
  );
}

interface CardsProps {
  readonly grid: Props['grid'];
  readonly panel: PanelShared;
  readonly state: ListState;
  readonly whole: boolean;
}

/**
 * Renders only when a session comes, goes, moves, or is hidden by a filter, or appears again.
 *
 * Gives the focus back to a card that moves, from which the browser takes it. React does so itself, but not in a shadow tree
 * (react-dom 19). Only a class gets to know what has the focus before a change.
 */
class Cards extends PureComponent<CardsProps> {
  override getSnapshotBeforeUpdate() {
    return this.props.grid.current?.querySelector<HTMLElement>(':focus') ?? null;
  }

  override componentDidUpdate(_props: CardsProps, _state: unknown, focused: HTMLElement | null) {
    if (focused && !focusedNear(focused)) focused.focus({ preventScroll: true });
  }

  override render() {
    const { panel, state, whole } = this.props;
    const { numeros, sections, view, found } = state;
    const shownSections = found && new Set(Array.from(found, (numero) => sections?.get(numero)));
    const children = [];
    let last: string | undefined;
    for (const numero of whole ? numeros : visibleIn(state).slice(0, FIRST)) {
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
  }
}

/**
 * The name of a group above its sessions, how many it has, and how many of them need attention.
 *
 * @param hidden - whether all its sessions are filtered out
 */
function SectionHeading({ section, hidden }: { section: string; hidden: boolean }) {
  const { store } = usePanel();
  const counted = useSelector(store.sections, (sections) => sections.get(section));
  // The count lags behind: it may not have a group that has just come.
  const { name, total = 0, attention = 0 } = counted ?? countSections(store.records).get(section) ?? {};
  return (
    <h3 className="section" hidden={hidden}>
      <bdi>{name || section || texts.noGroup}</bdi> <small>{texts.sessionCount(total)}</small>{' '}
      {attention > 0 && <small data-asks="act">{texts.needAttention(attention)}</small>}
    </h3>
  );
}
