import { remedyFor } from '../session/remedy.ts';
import type { SessionRecord } from '../session/session-map.ts';
import { badgeOf } from '../session/status.ts';
import * as texts from '../texts.ts';
import { dateAndTime, isToday, time } from '../ui/time.ts';
import { explain } from './explain.ts';
import { RemedyButton } from './remedy-button.tsx';

/** The exact state text of a session. What is in this file is no component: of thousands, each would cost memory. */
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

/**
 * The state of a session, what it means, and what mends it.
 * @param titleId - the id of what names the session
 */
export function advice(record: SessionRecord, titleId: string) {
  const remedy = remedyFor(record);
  const { qrCode } = record.session;
  return (
    <>
      {stateBadge(record)}
      {explanation(record)}
      {/* The picture of a code has these buttons. */}
      {remedy && !(qrCode !== undefined && (remedy === 'code' || remedy === 'newCode')) && (
        <RemedyButton record={record} remedy={remedy} titleId={titleId} />
      )}
    </>
  );
}
