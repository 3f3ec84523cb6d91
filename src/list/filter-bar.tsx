import { type ReactNode, useId, useRef } from 'react';
import type { Asks } from '../session/status.ts';
import { texts } from '../texts.ts';
import { useFocusFallback } from '../ui/focus.ts';
import { NO_FILTER } from './filter.ts';
import type { ListState, ListView } from './list-view.ts';

/** The groups that have a counter, with the badge of the states that they count. */
const COUNTERS = [
  { group: 'ok', asks: 'nothing' },
  { group: 'waiting', asks: 'wait' },
  { group: 'attention', asks: 'act' },
  { group: 'dropped', asks: 'act' },
] as const;

interface Props {
  readonly view: ListView;
  readonly state: ListState;
  readonly selecting: boolean;
  readonly onSelecting: () => void;
  /** What there is to do with the selected ones. */
  readonly children: ReactNode;
}

/** Finds sessions among many: by text, by what they ask of the operator, and by order. */
export function FilterBar({ view, state, selecting, onSelecting, children }: Props) {
  const { filter, urgentFirst, order, found, counts } = state;
  const bar = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const searchId = useId();
  const orderId = useId();
  useFocusFallback(bar);

  return (
    <>
      <search ref={bar} className="filter">
        <div>
          <label htmlFor={searchId}>{texts.search}</label>
          <input
            ref={search}
            id={searchId}
            type="search"
            autoComplete="off"
            spellCheck={false}
            placeholder={texts.searchHint}
            value={filter.query}
            onChange={(event) => view.setFilter({ query: event.target.value })}
          />
        </div>
        <div>
          <label htmlFor={orderId}>{texts.order}</label>
          <select
            id={orderId}
            value={urgentFirst ? 'urgent' : 'server'}
            onChange={(event) => view.setUrgentFirst(event.target.value === 'urgent')}
          >
            <option value="server">{texts.serverOrder}</option>
            <option value="urgent">{texts.urgentFirst}</option>
          </select>
        </div>
        <Toggle pressed={selecting} onToggle={onSelecting}>
          {texts.select}
        </Toggle>
        <div className="filter-groups">
          {COUNTERS.map(({ group, asks }) => {
            const pressed = filter.group === group;
            if (group === 'dropped' && counts.dropped === 0 && !pressed) return null;
            return (
              <Toggle
                key={group}
                asks={asks}
                pressed={pressed}
                onToggle={() => view.setFilter({ group: pressed ? undefined : group })}
              >
                <span>{texts.groups[group]}</span> <b>{counts[group]}</b>
              </Toggle>
            );
          })}
        </div>
      </search>
      {children}
      <p className="filter-results" role="status">
        {found && texts.found(found.size, order.length)}
      </p>
      {found?.size === 0 && (
        <div className="empty">
          <p>{texts.noMatch}</p>
          <button
            type="button"
            className="tonal"
            onClick={() => {
              view.setFilter(NO_FILTER);
              search.current?.focus();
            }}
          >
            {texts.showAll}
          </button>
        </div>
      )}
    </>
  );
}

interface ToggleProps {
  readonly pressed: boolean;
  readonly onToggle: () => void;
  /** Gives it the badge of the states that ask for this. */
  readonly asks?: Asks;
  readonly children: ReactNode;
}

/** A button that stays pressed until it is pressed again. */
function Toggle({ pressed, onToggle, asks, children }: ToggleProps) {
  return (
    <button type="button" className="toggle" data-asks={asks} aria-pressed={pressed} onClick={onToggle}>
      {children}
    </button>
  );
}
