import type { MouseEvent } from 'react';
import { type Selection, usePanel, useSelection, useSelector } from '../context/panel-context.ts';
import { nameOf } from '../session/record.ts';
import * as texts from '../texts/sentences.ts';
import { Button } from '../ui/button.tsx';
import { digitGroups } from '../ui/digits.ts';
import { icons } from '../ui/icons.tsx';
import { isElement } from '../ui/input.ts';
import { Advice, type AdviceProps } from './advice.tsx';
import { SessionMenu } from './session-menu.tsx';

interface Props extends AdviceProps {
  /** Whether it is below the heading of a section. */
  readonly inSection?: boolean | undefined;
}

/** What a session is called and its state, with the next step of the operator: in one line of a row, or on a card. */
export function Head({ record, titleId, place, inSection }: Props) {
  const { t, cards } = usePanel();
  const selection = useSelection();
  const { numero } = record.session;
  const { label, name, group } = record.details;
  const shown = nameOf(record);
  const isSingle = place === 'single';
  const isRow = !isSingle && place !== 'card';
  const opened = place === 'openRow';
  const toggle = () => cards.update(numero, { opened: !opened });
  // The whole line is a target for the mouse, unless it was meant for a control or for the selection of text.
  const click = ({ target, currentTarget }: MouseEvent<HTMLElement>) => {
    const isControl = isElement(target) && target.closest('button, label, .menu');
    if (!isControl && currentTarget.ownerDocument.getSelection()?.type !== 'Range') toggle();
  };
  const selectBox = selection && <SelectBox selection={selection} numero={numero} />;
  const menu = (
    <SessionMenu session={record.session} isWhole={isSingle} tabIndex={place === 'row' ? -1 : 0} />
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its first button does the same
    // biome-ignore lint/a11y/useKeyWithClickEvents: its first button does the same
    <div className={isRow ? 'row-line' : 'identity'} onClick={isRow ? click : undefined}>
      {isRow && selectBox}
      {isRow && (
        <button
          type="button"
          className="icon row-toggle"
          aria-label={t(texts.openRow, numero)}
          aria-expanded={opened}
          onClick={toggle}
        >
          {icons.chevron}
        </button>
      )}
      {/* Its name, then that of its account, and always its numero. */}
      <h3 id={titleId} tabIndex={-1} aria-level={inSection ? 4 : undefined}>
        {shown === undefined ? (
          <Numero numero={numero} />
        ) : (
          <>
            <bdi title={shown}>{shown}</bdi>{' '}
            <span className="account muted">
              {label && name && <bdi>{name}</bdi>} <Numero numero={numero} />
            </span>
          </>
        )}
      </h3>
      {!isRow && (
        <div className="icons">
          {selectBox}
          <HistoryButton numero={numero} />
          {menu}
        </div>
      )}
      {place === 'card' && group && !inSection && <p className="muted">{group}</p>}
      <Advice record={record} titleId={titleId} place={place} />
      {isRow && menu}
    </div>
  );
}

export function HistoryButton({ numero }: { numero: string }) {
  const { t, dialog } = usePanel();
  return (
    <Button
      className="icon"
      part={undefined}
      title={t(texts.historyTitle, numero)}
      aria-haspopup="dialog"
      onClick={() => dialog.set({ kind: 'history', numero })}
    >
      {icons.history}
    </Button>
  );
}

function SelectBox({ selection, numero }: { selection: Selection; numero: string }) {
  const { t } = usePanel();
  const checked = useSelector(selection.selected, (all) => all.has(numero));
  return (
    <label className="icon select-box">
      <input
        type="checkbox"
        aria-label={t(texts.selectOne, numero)}
        checked={checked}
        onChange={() => selection.toggle(numero)}
      />
    </label>
  );
}

/** Digits in groups that only the eye sees: what is copied, searched or read aloud is the plain number. */
export function Numero({ numero }: { numero: string }) {
  return (
    <span className="numero">
      {digitGroups(numero).map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups have nothing but their place
        <span key={index}>
          <wbr />
          {group}
        </span>
      ))}
    </span>
  );
}
