import { useRef } from 'react';
import { usePanel } from '../panel-context.ts';
import type { SessionRecord } from '../session/session-map.ts';
import { badgeOf, type Status } from '../session/status.ts';
import { texts } from '../texts.ts';
import { useBusy } from '../ui/busy.ts';
import { useFocusFallback } from '../ui/focus.ts';
import { dateAndTime, isToday, time } from '../ui/time.ts';
import { explain } from './explain.ts';

interface Props {
  readonly record: SessionRecord;
  /** The id of what names the session. */
  readonly titleId: string;
}

/** The exact state text of a session, what it means, since when it is down, and what to do about it. */
export function Advice({ record: { session, status }, titleId }: Props) {
  const { droppedAt, unanswered, stuck, failure } = status;
  const explanation = explain(session, status);

  return (
    <>
      {session.state !== '' && (
        <p className="state" part="state" data-asks={badgeOf(session, status)}>
          {session.state}
        </p>
      )}
      <div className="advice">
        {droppedAt !== undefined && (
          <p className="dropped">
            {isToday(droppedAt) ? texts.dropped(time(droppedAt)) : texts.droppedOn(dateAndTime(droppedAt))}
          </p>
        )}
        {explanation !== undefined && <p className={failure && 'failure'}>{explanation}</p>}
        {(unanswered || stuck || failure) && (
          <RemedyButton numero={session.numero} status={status} titleId={titleId} />
        )}
      </div>
    </>
  );
}

interface RemedyProps extends Pick<Props, 'titleId'> {
  readonly numero: string;
  readonly status: Status;
}

/** What mends the session, in one button. */
function RemedyButton({ numero, status: { unanswered, stuck, failure }, titleId }: RemedyProps) {
  const { store, openDialog } = usePanel();
  const button = useRef<HTMLButtonElement>(null);
  const [busy, run] = useBusy();
  useFocusFallback(button);
  const isAboutDeletion = !unanswered && (stuck === 'not-deleted' || failure?.action === 'delete');
  const restarts = unanswered || (!isAboutDeletion && !failure);

  const act = async () => {
    if (unanswered) store.upAgain(numero);
    else if (!isAboutDeletion) await store.up(numero);
    else if (stuck !== 'not-deleted' || !store.deleteAgain(numero)) openDialog({ kind: 'delete', numero });
  };

  return (
    <button
      ref={button}
      type="button"
      className="tonal"
      aria-describedby={titleId}
      aria-disabled={busy || undefined}
      onClick={() => run(act)}
    >
      {restarts ? texts.startAgain : texts.retry}
    </button>
  );
}
