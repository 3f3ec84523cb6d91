import type { ReactNode } from 'react';
import type { SessionRecord } from '../session/record.ts';

interface Props {
  readonly record: SessionRecord;
  readonly id: string;
  /** Of the heading: 3 by default. */
  readonly level?: number | undefined;
  /** The numero. */
  readonly children: ReactNode;
}

/** What a session is called, then the name of its account, and always its numero. */
export function Title({ record, id, level, children }: Props) {
  const { label, name } = record.details;
  const shown = label ?? name;
  return (
    <h3 id={id} tabIndex={-1} aria-level={level} className={shown && 'named'}>
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
