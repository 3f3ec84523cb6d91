import { type ReactNode, useId, useRef } from 'react';
import { texts } from '../texts.ts';
import { useFocusKept } from '../ui/focus.ts';
import type { Arrangement, Arranger } from './list-view.ts';
import { Toggle } from './toggle.tsx';

/** The sign of a counter is that of the states that it counts. */
const SIGNS = { well: 'nothing', waiting: 'wait', attention: 'act', fallen: 'act' } as const;
const GROUPS = ['well', 'waiting', 'attention', 'fallen'] as const;

interface Props {
  readonly arranger: Arranger;
  readonly arrangement: Arrangement;
  readonly selecting: boolean;
  readonly onSelecting: () => void;
  /** What there is to do with the selected ones. */
  readonly children: ReactNode;
}

/** Finds sessions among many: by text, by what they ask of the operator, and by order. */
export function FinderBar({ arranger, arrangement, selecting, onSelecting, children }: Props) {
  const { choice, order, found, counts } = arrangement;
  const bar = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const searchId = useId();
  const orderId = useId();
  useFocusKept(bar);

  return (
    <>
      <search ref={bar} className="finder">
        <div>
          <label htmlFor={searchId}>{texts.search}</label>
          <input
            ref={search}
            id={searchId}
            type="search"
            autoComplete="off"
            spellCheck={false}
            placeholder={texts.searchHint}
            value={choice.query}
            onChange={(event) => arranger.choose({ query: event.target.value })}
          />
        </div>
        <div>
          <label htmlFor={orderId}>{texts.order}</label>
          <select
            id={orderId}
            value={choice.urgentFirst ? 'urgent' : 'server'}
            onChange={(event) => arranger.choose({ urgentFirst: event.target.value === 'urgent' })}
          >
            <option value="server">{texts.serverOrder}</option>
            <option value="urgent">{texts.urgentFirst}</option>
          </select>
        </div>
        <Toggle pressed={selecting} onToggle={onSelecting}>
          {texts.select}
        </Toggle>
        <div className="finder-groups">
          {GROUPS.map((group) => {
            const pressed = choice.group === group;
            if (group === 'fallen' && counts.fallen === 0 && !pressed) return null;
            return (
              <Toggle
                key={group}
                asks={SIGNS[group]}
                pressed={pressed}
                onToggle={() => arranger.choose({ group: pressed ? undefined : group })}
              >
                <span>{texts.groups[group]}</span> <b>{counts[group]}</b>
              </Toggle>
            );
          })}
        </div>
      </search>
      {children}
      <p className="finder-results" role="status">
        {found && texts.found(found.size, order.length)}
      </p>
      {found?.size === 0 && (
        <div className="empty">
          <p>{texts.noMatch}</p>
          <button
            type="button"
            className="tonal"
            onClick={() => {
              arranger.choose({ query: '', group: undefined });
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
