import type { SessionRecord } from '../session/record.ts';
import { remedyFor } from '../session/remedy.ts';
import { badgeOf } from '../session/status.ts';
import * as texts from '../texts.ts';
import { Ago } from '../ui/ago.tsx';
import { dateAndTime, isToday, time } from '../ui/time.ts';
import type { WireLink } from '../wire.ts';
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

/** What the state of a session means, since when it is down, and whether a link for its phone is valid. */
export function explanation({ session, status, details: { reason, link } }: SessionRecord) {
  const { droppedAt, failure } = status;
  const note = link && linkNote(link);
  const text = explain(session, status, reason);
  return (
    <div className="advice">
      {droppedAt !== undefined && (
        <p className="dropped">
          {isToday(droppedAt) ? texts.dropped(time(droppedAt)) : texts.droppedOn(dateAndTime(droppedAt))}
        </p>
      )}
      {text !== undefined && <p className={failure && 'failure'}>{text}</p>}
      {note !== undefined && <p>{note}</p>}
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
  const { since } = record.details;
  return (
    <>
      {since === undefined ? (
        stateBadge(record)
      ) : (
        <div className="state-line">
          {stateBadge(record)}
          <p>
            <Ago since={since} words={texts.since} />
          </p>
        </div>
      )}
      {explanation(record)}
      {/* The picture of a code has these buttons. */}
      {remedy && !(qrCode !== undefined && (remedy === 'code' || remedy === 'newCode')) && (
        <RemedyButton record={record} remedy={remedy} titleId={titleId} />
      )}
    </>
  );
}

/** Undefined once it is over. */
export function linkNote({ expires, opened }: WireLink): string | undefined {
  if (expires <= Date.now()) return undefined;
  return opened === undefined ? texts.linkOut(time(expires)) : texts.linkOpened(time(opened));
}
