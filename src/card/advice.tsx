import { remedyFor } from '../session/remedy.ts';
import type { SessionRecord } from '../session/session-map.ts';
import { badgeOf } from '../session/status.ts';
import * as texts from '../texts.ts';
import { dateAndTime, isToday, time } from '../ui/time.ts';
import { explain } from './explain.ts';
import { RemedyButton } from './remedy-button.tsx';

/** The exact state text of a session. Like {@link explanation} no component: of thousands, each would cost memory. */
export function stateBadge({ session, status }: SessionRecord) {
  return (
    session.state !== '' && (
      <p className="state" part="state" data-asks={badgeOf(session, status)}>
        {session.state}
      </p>
    )
  );
}

/** What the state of a session means, and since when it is down. */
export function explanation({ session, status }: SessionRecord) {
  const { droppedAt, failure } = status;
  const text = explain(session, status);
  return (
    <div className="advice">
      {droppedAt !== undefined && (
        <p className="dropped">
          {isToday(droppedAt) ? texts.dropped(time(droppedAt)) : texts.droppedOn(dateAndTime(droppedAt))}
        </p>
      )}
      {text !== undefined && <p className={failure && 'failure'}>{text}</p>}
    </div>
  );
}

interface Props {
  readonly record: SessionRecord;
  /** The id of what names the session. */
  readonly titleId: string;
}

/** The state of a session, what it means, and what mends it. */
export function Advice({ record, titleId }: Props) {
  const remedy = remedyFor(record);
  return (
    <>
      {stateBadge(record)}
      {explanation(record)}
      {/* The picture of a code has these buttons. */}
      {remedy && remedy !== 'code' && remedy !== 'newCode' && (
        <RemedyButton numero={record.session.numero} remedy={remedy} titleId={titleId} />
      )}
    </>
  );
}
