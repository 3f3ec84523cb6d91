import { remedyFor, type SessionRecord } from '../session/record.ts';
import { badgeOf } from '../session/status.ts';
import * as texts from '../texts.ts';
import { Ago } from '../ui/live-time.tsx';
import { dateAndTime, isToday, time } from '../ui/time.ts';
import type { WireLink } from '../wire.ts';
import { explain } from './explain.ts';
import { RemedyButton } from './remedy-button.tsx';

interface RecordProps {
  readonly record: SessionRecord;
}

/** The exact state text of a session. */
export function StateBadge({ record: { session, status } }: RecordProps) {
  return (
    session.state !== '' && (
      <p className="state" part="state" data-asks={badgeOf(session, status)}>
        {session.state}
      </p>
    )
  );
}

/** What the state of a session means, since when it is down, and whether a link for its phone is valid. */
export function adviceOn({ session, status, details: { reason, link } }: SessionRecord) {
  const { droppedAt } = status;
  return {
    dropped: droppedAt && droppedSince(droppedAt),
    text: explain(session, status, reason),
    note: link && linkNote(link),
  };
}

function droppedSince(moment: number): string {
  return isToday(moment) ? texts.dropped(time(moment)) : texts.droppedOn(dateAndTime(moment));
}

/** The same in paragraphs. */
export function Explanation({ record }: RecordProps) {
  const { dropped, text, note } = adviceOn(record);
  return (
    <div className="advice">
      {dropped !== undefined && <p className="dropped">{dropped}</p>}
      {text !== undefined && <p className={record.status.failure && 'failure'}>{text}</p>}
      {note !== undefined && <p>{note}</p>}
    </div>
  );
}

interface AdviceProps extends RecordProps {
  /** The id of what names the session. */
  readonly titleId: string;
}

/** The state of a session, what it means, and what mends it. */
export function Advice({ record, titleId }: AdviceProps) {
  const remedy = remedyFor(record);
  const { qrCode } = record.session;
  const { since } = record.details;
  return (
    <>
      {since === undefined ? (
        <StateBadge record={record} />
      ) : (
        <div className="state-line">
          <StateBadge record={record} />
          <p>
            <Ago since={since} words={texts.since} />
          </p>
        </div>
      )}
      <Explanation record={record} />
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
