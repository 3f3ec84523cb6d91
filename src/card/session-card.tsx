/** One session, as a card, or as a row that opens to all that is on a card. */
import { useId } from 'react';
import { Operable } from '../panel-context.ts';
import type { SessionRecord } from '../session/record.ts';
import { badgeOf } from '../session/status.ts';
import type { ShownView } from '../settings.ts';
import * as texts from '../texts.ts';
import { ignoreSecondClick } from '../ui/guards.ts';
import { Actions } from './actions.tsx';
import { adviceOn } from './advice.tsx';
import type { Card } from './cards.ts';
import { Head } from './head.tsx';
import { NameForm } from './name-form.tsx';
import type { Nearness } from './nearness.ts';
import { Row } from './row.tsx';
import { TestMessageForm } from './test-message-form.tsx';

interface Props {
  readonly card: Card;
  readonly record: SessionRecord;
  readonly nearness: Nearness;
  readonly view: ShownView;
  /** Whether it is filtered out. */
  readonly hidden: boolean;
  /** Whether it is below the heading of a section. */
  readonly inSection: boolean;
}

/**
 * One session: picture, numero and state, test message, actions. Far from the screen it is an outline: its words, for screen
 * readers and the browser's search, and one button for Tab, which brings the rest (see `Nearness`). An outline has as few
 * elements and components as possible, since there may be thousands.
 */
export function SessionCard({ card, record, nearness, view, hidden, inSection }: Props) {
  const titleId = useId();
  const { inside, height, opened, editing } = card;
  const { session, status } = record;
  const { numero, state } = session;
  const isRow = view === 'list';
  const isOpen = isRow && opened;

  return (
    <article
      ref={nearness.observe}
      className={isRow ? 'card row' : 'card'}
      part="card"
      hidden={hidden}
      data-numero={numero}
      data-outline={!inside || undefined}
      data-opened={isOpen || undefined}
      data-focus-fallback
      aria-labelledby={titleId}
      style={inside || height === undefined || (isRow && !isOpen) ? undefined : { minBlockSize: height }}
      onClickCapture={ignoreSecondClick}
    >
      {inside ? (
        <>
          {isRow ? (
            <Row record={record} titleId={titleId} opened={opened} inSection={inSection} />
          ) : (
            <Head record={record} titleId={titleId} />
          )}
          {/* What was typed in it stays when a row closes, and when cards become rows. */}
          {editing && <NameForm numero={numero} titleId={titleId} />}
          {(isOpen || !isRow) && (
            <Operable>
              <TestMessageForm numero={numero} titleId={titleId} />
              <Actions numero={numero} titleId={titleId} />
            </Operable>
          )}
        </>
      ) : (
        <>
          <h3 id={titleId} tabIndex={-1}>
            {namesOf(record)}
          </h3>
          {/* No StateBadge: a component more for each outline. */}
          {state !== '' && (
            <p className="state" part="state" data-asks={badgeOf(session, status)}>
              {state}
            </p>
          )}
          <p className="advice">{Object.values(adviceOn(record)).filter(Boolean).join(' · ')}</p>
          <button type="button" aria-label={texts.open(numero)} />
        </>
      )}
    </article>
  );
}

function namesOf({ session: { numero }, details: { label, name } }: SessionRecord): string {
  return [label, name, numero].filter(Boolean).join(' ');
}
