/** What a session is called, and the buttons beside it. */
import type { ReactNode } from 'react';
import { Operable, usePanel } from '../context/panel-context.ts';
import * as texts from '../texts.ts';
import { historyIcon } from '../ui/icons.tsx';
import { Advice, type RecordProps } from './advice.tsx';
import { Picture } from './picture.tsx';
import { SelectBox } from './select-box.tsx';
import { MenuButton } from './session-menu.tsx';

/** Picture, numero and state of a card. */
export function Head({ record, titleId }: RecordProps) {
  const { numero } = record.session;
  const { group } = record.details;
  return (
    <>
      <div className="picture" part="picture">
        <Picture record={record} titleId={titleId} />
      </div>
      <div className="identity">
        <SelectBox numero={numero} />
        <Title record={record} titleId={titleId}>
          {numero}
        </Title>
        <HeadButtons numero={numero} />
        {group && <p className="group">{group}</p>}
        <Advice record={record} titleId={titleId} />
      </div>
    </>
  );
}

interface TitleProps extends RecordProps {
  /** Of the heading: 3 by default. */
  readonly level?: number | undefined;
  /** The numero. */
  readonly children: ReactNode;
}

/** The name of a session, then that of its account, and always its numero. */
export function Title({ record, titleId, level, children }: TitleProps) {
  const { label, name } = record.details;
  const shown = label ?? name;
  return (
    <h3 id={titleId} tabIndex={-1} aria-level={level} className={shown && 'named'}>
      {shown === undefined ? (
        children
      ) : (
        <>
          <bdi title={shown}>{shown}</bdi>{' '}
          <span className="account">
            {label && name && <bdi>{name}</bdi>} <span>{children}</span>
          </span>
        </>
      )}
    </h3>
  );
}

/** Opens the history, and the menu. */
export function HeadButtons({ numero }: { numero: string }) {
  const { dialog } = usePanel();
  return (
    <div className="icons">
      <button
        type="button"
        className="icon"
        title={texts.historyTitle(numero)}
        aria-label={texts.historyTitle(numero)}
        aria-haspopup="dialog"
        onClick={() => dialog.set({ kind: 'history', numero })}
      >
        {historyIcon}
      </button>
      <Operable>
        <MenuButton numero={numero} />
      </Operable>
    </div>
  );
}
