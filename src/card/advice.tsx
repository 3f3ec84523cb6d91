/** What the state of a session means, and what mends it. */
import { Operable, usePanel } from '../context/panel-context.ts';
import { askToDelete, restart } from '../context/questions.ts';
import { isStarting, remedyFor, type SessionRecord } from '../session/record.ts';
import type { Session } from '../session/session.ts';
import { FINDINGS, type Remedy } from '../session/states.ts';
import { badgeOf, type Status } from '../session/status.ts';
import * as texts from '../texts.ts';
import { focusFallback } from '../ui/focus.ts';
import { Ago } from '../ui/live-time.tsx';
import { dateAndTime, isToday, time } from '../ui/time.ts';
import type { WireLink, WireReason } from '../wire.ts';

interface TitleId {
  /** The id of what names the session. */
  readonly titleId: string;
}
export type RecordProps = TitleId & { readonly record: SessionRecord };
/** For components that must not render with each change of the session. */
export type NumeroProps = TitleId & { readonly numero: string };

/**
 * One line on what a session asks of the operator; undefined where the state text says it, or nobody knows.
 * @param reason - why it is not connected, as the server says
 */
export function explain({ numero }: Session, status: Status, reason?: WireReason): string | undefined {
  const { condition, asks, failure } = status;
  if (failure && condition !== 'unanswered')
    return texts.failed(failure.what, numero, failure.message.replace(/\.$/, ''));
  if (reason && asks !== 'nothing' && !(condition in FINDINGS)) return reason.text;
  return texts.conditions[condition];
}

/** Since when a session is down, what its state means, and whether a link for its phone is valid. */
export function adviceOn({ session, status, details: { reason, link } }: SessionRecord) {
  const { droppedAt, failure } = status;
  return [
    { kind: 'dropped', text: droppedAt && droppedSince(droppedAt) },
    { kind: failure && 'failure', text: explain(session, status, reason) },
    { kind: undefined, text: link && linkNote(link) },
  ].filter(({ text }) => text);
}

function droppedSince(moment: number): string {
  return isToday(moment) ? texts.dropped(time(moment)) : texts.droppedOn(dateAndTime(moment));
}

/** What has become of a link; undefined once it has expired. */
export function linkNote({ expires, opened }: WireLink): string | undefined {
  if (expires <= Date.now()) return undefined;
  return opened === undefined ? texts.linkOut(time(expires)) : texts.linkOpened(time(opened));
}

/** The exact state text of a session. */
export function StateBadge({ record: { session, status } }: Pick<RecordProps, 'record'>) {
  return (
    session.state !== '' && (
      <p className="state" part="state" data-asks={badgeOf(session, status)}>
        {session.state}
      </p>
    )
  );
}

/** The advice on a session in paragraphs. */
export function Explanation({ record }: Pick<RecordProps, 'record'>) {
  return (
    <div className="advice">
      {adviceOn(record).map(({ kind, text }) => (
        <p key={text} className={kind}>
          {text}
        </p>
      ))}
    </div>
  );
}

/** The state of a session, what it means, and what mends it. */
export function Advice({ record, titleId }: RecordProps) {
  const remedy = remedyFor(record);
  const { since } = record.details;
  // The picture of a code has these buttons.
  const isInPicture = record.session.qrCode !== undefined && (remedy === 'code' || remedy === 'newCode');
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
      {!isInPicture && <RemedyButton record={record} remedy={remedy} titleId={titleId} />}
    </>
  );
}

/** What mends a session, in one button. */
export function RemedyButton({ record, remedy, titleId }: RecordProps & { remedy: Remedy | undefined }) {
  const panel = usePanel();
  const { store, dialog } = panel;
  const { numero } = record.session;
  if (!remedy) return null;
  const starts = remedy !== 'code' && remedy !== 'delete';
  const disabled = starts && isStarting(record);

  const act = () => {
    if (remedy === 'code') dialog.set({ kind: 'code', numero });
    else if (remedy === 'delete') store.deleteAgain(numero) || askToDelete(panel, numero);
    else if (!disabled && (remedy !== 'again' || !store.upAgain(numero)))
      restart(panel, [numero], () => store.up(numero));
  };

  return (
    <Operable>
      <button
        ref={focusFallback}
        type="button"
        className="tonal remedy"
        aria-describedby={titleId}
        aria-haspopup={remedy === 'code' && 'dialog'}
        aria-disabled={disabled}
        onClick={act}
      >
        {texts.remedies[remedy]}
      </button>
    </Operable>
  );
}
