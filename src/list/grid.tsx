import {
  type KeyboardEvent,
  memo,
  type RefObject,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react';
import { SessionCard } from '../card/session-card.tsx';
import { type PanelShared, usePanel, useSelector } from '../context/panel-context.ts';
import { countSections } from '../session/counts.ts';
import * as texts from '../texts/sentences.ts';
import { chevronIcon } from '../ui/icons.tsx';
import { isElement } from '../ui/input.ts';
import { type Arrangement, visibleIn } from './arrange.ts';
import type { ListView } from './list-view.ts';

/** How many cards appear at once, more than a screen shows. The rest follow when the codes on the screen are drawn. */
const FIRST = 50;
/** How many are whole from the start: about as many as a screen shows. */
const FIRST_WHOLE = { cards: 6, list: 12 };

interface Props {
  readonly grid: RefObject<HTMLDivElement | null>;
  readonly arrangement: Arrangement;
  readonly selecting: boolean;
  readonly onFold: ListView['fold'];
}

/** The cards or rows of all sessions. The first appear as fast as if there were no others. */
export function Grid({ grid, arrangement, selecting, onFold }: Props) {
  const panel = usePanel();
  const { t, cards } = panel;
  const [areFirstDrawn, setFirstDrawn] = useState(false);
  useEffect(() => cards.drawLater(undefined, () => setFirstDrawn(true)), [cards]);
  const { view, items } = useDeferredValue(arrangement);
  const whole = useDeferredValue(areFirstDrawn);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the others become whole near the screen
  useLayoutEffect(() => {
    for (const numero of visibleIn(arrangement).slice(0, FIRST_WHOLE[arrangement.view]))
      cards.update(numero, { outline: false });
  }, []);
  const isList = view === 'list';

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to its cards
    <div
      ref={grid}
      className={isList ? 'grid rows' : 'grid'}
      // Without a row it would be a frame around nothing.
      hidden={!!arrangement.filter.matches && visibleIn(arrangement).length === 0}
      data-selecting={selecting || undefined}
      part="grid"
      onKeyDown={isList ? (event) => onRowKey(event, panel) : undefined}
      onFocus={(event) => cards.focused(event)}
      onPointerDown={({ currentTarget }) => holdWhilePressed(currentTarget)}
      // Screen readers click without a focus.
      onClick={({ target }) => cards.focused({ target, relatedTarget: null })}
      // Once the focus is where it goes.
      onBlur={() => setTimeout(cards.makeOutlines)}
    >
      {isList && (
        <div className="row-heads" aria-hidden="true">
          <span>{t(texts.number)}</span>
          <span>{t(texts.state)}</span>
          <span>{t(texts.whatToDo)}</span>
          <span>{t(texts.sinceWhen)}</span>
        </div>
      )}
      <Cards panel={panel} view={view} items={items} whole={whole} onFold={onFold} />
    </div>
  );
}

/** A finger hovers nothing, and clicks where it lifts: no row may move until then. The press may end anywhere. */
function holdWhilePressed(grid: HTMLElement): void {
  const released = new AbortController();
  grid.setAttribute('data-pressed', '');
  const release = () => {
    grid.removeAttribute('data-pressed');
    released.abort();
  };
  for (const type of ['pointerup', 'pointercancel'])
    addEventListener(type, release, { capture: true, signal: released.signal });
}

interface CardsProps extends Pick<Props, 'onFold'>, Pick<Arrangement, 'view' | 'items'> {
  readonly panel: PanelShared;
  readonly whole: boolean;
}

/** Renders only when a session comes, goes, moves, or is hidden by a filter or a fold, or appears again. */
const Cards = memo(function Cards({ panel, view, items, whole, onFold }: CardsProps) {
  const first = whole ? items : items.filter((item) => item.kind === 'fold' || item.visible).slice(0, FIRST);
  return first.map((item) => {
    if (item.kind === 'heading')
      return <SectionHeading key={`\n${item.section}`} {...item} onFold={onFold} />;
    if (item.kind === 'fold') return <FoldLine key={`\n\n${item.section}`} {...item} onFold={onFold} />;
    const { numero, rises, visible, section } = item;
    return (
      <SessionCard
        key={rises > 0 ? `${numero} ${rises}` : numero}
        numero={numero}
        panel={panel}
        view={view}
        hidden={!visible}
        inSection={section !== undefined}
      />
    );
  });
});

interface FoldProps {
  readonly section: string;
  readonly onFold: ListView['fold'];
}

/** The name of a group above its sessions, how many it has, and how many of them need attention. Folds them. */
function SectionHeading({
  section,
  visible,
  closed,
  onFold,
}: FoldProps & { visible: boolean; closed: boolean }) {
  const { store, t } = usePanel();
  const counted = useSelector(store.sections, (sections) => sections.get(section));
  // The count lags behind: it may not have a group that has just come.
  const { name, total = 0, attention = 0 } = counted ?? countSections(t, store.records).get(section) ?? {};
  return (
    <h3 className="section" hidden={!visible}>
      <button
        type="button"
        className="fold"
        aria-expanded={!closed}
        onClick={() => onFold(section, 'closed')}
      >
        {chevronIcon}
        <bdi>{name || section || t(texts.noGroup)}</bdi> <small>{t(texts.sessionCount, total)}</small>{' '}
        {attention > 0 && <small data-asks="act">{t(texts.needAttention, attention)}</small>}
      </button>
    </h3>
  );
}

function FoldLine({ section, count, open, onFold }: FoldProps & { count: number; open: boolean }) {
  const { t } = usePanel();
  return (
    <button type="button" className="fold" aria-expanded={open} onClick={() => onFold(section, 'open')}>
      {chevronIcon}
      {t(texts.connected, count)}
    </button>
  );
}

const TOGGLE = '.row-toggle';
/** The controls of a closed row. */
const CONTROLS = [TOGGLE, '.remedy', '[aria-haspopup="menu"]', '.select-box input'];

/**
 * The arrows move the focus to the next row or the one before: to the same control, where that row has it, or to the one
 * that opens it. Escape closes an open row. In a field the arrows are the field's.
 */
function onRowKey(event: KeyboardEvent<HTMLElement>, { cards }: PanelShared): void {
  const { key, target, currentTarget } = event;
  if (event.altKey || event.isDefaultPrevented() || !isElement(target)) return;
  const row = target.closest('article');
  if (!row) return;
  if (key === 'Escape' && row.hasAttribute('data-opened')) {
    // It must not close the part of the page that shows the panel, too.
    event.preventDefault();
    focusIn(row, TOGGLE);
    cards.update(row.getAttribute('data-numero') ?? '', { opened: false });
  }
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || target.matches('input:not([type="checkbox"])')) return;
  const rows = [...currentTarget.querySelectorAll('article:not([hidden])')];
  const other = rows[rows.indexOf(row) + step];
  if (!other) return;
  event.preventDefault();
  cards.makeWhole(other);
  focusIn(other, CONTROLS.find((selector) => target.matches(selector)) ?? TOGGLE);
}

/** Focuses a control of a row, or where the row has none like it, the one that opens it. */
function focusIn(row: Element, selector: string): void {
  const control = row.querySelector<HTMLElement>(selector);
  (control?.checkVisibility() ? control : row.querySelector<HTMLElement>(TOGGLE))?.focus();
}
