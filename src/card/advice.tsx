import { useRef } from 'react';
import { usePanel } from '../panel-context.ts';
import type { SessionRecord } from '../session/session-map.ts';
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
  const { droppedAt } = status;
  const explanation = explain(session, status);
  const remedy = useRemedy(session.numero, status);

  return (
    <>
      {session.state !== '' && (
        <p className="state" part="state" data-asks={status.asks}>
          {session.state}
        </p>
      )}
      <div className="advice">
        {droppedAt !== undefined && (
          <p className="dropped">
            {isToday(droppedAt) ? texts.dropped(time(droppedAt)) : texts.droppedOn(dateAndTime(droppedAt))}
          </p>
        )}
        {explanation !== undefined && <p>{explanation}</p>}
        {remedy && <RemedyButton {...remedy} titleId={titleId} />}
      </div>
    </>
  );
}

interface Remedy {
  readonly label: string;
  readonly act: () => unknown;
}

/** What mends the session, where that is one button. */
function useRemedy(
  numero: string,
  { unanswered, stuck, failure }: SessionRecord['status'],
): Remedy | undefined {
  const { store, openDialog } = usePanel();
  if (unanswered) return { label: texts.startAgain, act: () => store.upAgain(numero) };
  if (stuck === 'not-deleted')
    return {
      label: texts.retry,
      act: () => store.deleteAgain(numero) || openDialog({ kind: 'delete', numero }),
    };
  if (failure?.action === 'delete')
    return { label: texts.retry, act: () => openDialog({ kind: 'delete', numero }) };
  if (failure) return { label: texts.retry, act: () => store.up(numero) };
  return stuck && { label: texts.startAgain, act: () => store.up(numero) };
}

function RemedyButton({ label, act, titleId }: Remedy & Pick<Props, 'titleId'>) {
  const button = useRef<HTMLButtonElement>(null);
  const [busy, run] = useBusy();
  useFocusFallback(button);
  return (
    <button
      ref={button}
      type="button"
      className="tonal"
      aria-describedby={titleId}
      aria-disabled={busy || undefined}
      onClick={() => run(async () => act())}
    >
      {label}
    </button>
  );
}
