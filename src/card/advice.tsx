import { useRef } from 'react';
import type { Open } from '../dialogs/open-dialog.ts';
import type { Session } from '../session/session.ts';
import type { Situation } from '../session/status.ts';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';
import { useFocusKept } from '../ui/focus.ts';
import { dateAndTime, isToday, time } from '../ui/time.ts';
import { useBusy } from '../ui/use-busy.ts';
import { explain } from './explain.ts';

interface Props {
  readonly store: Store;
  readonly session: Session;
  readonly situation: Situation;
  /** Of what says whose card it is. */
  readonly titleId: string;
  readonly open: Open;
}

/** What the state means, since when it is down, and what mends it where that is one button. */
export function Advice({ store, session, situation, titleId, open }: Props) {
  const { fell } = situation;
  const explanation = explain(session, situation);
  const mend = remedy(store, session.numero, situation, open);

  return (
    <div className="advice">
      {fell !== undefined && (
        <p className="fell">{isToday(fell) ? texts.fell(time(fell)) : texts.fellOn(dateAndTime(fell))}</p>
      )}
      {explanation !== undefined && <p>{explanation}</p>}
      {mend && <MendButton {...mend} titleId={titleId} />}
    </div>
  );
}

interface Remedy {
  readonly label: string;
  readonly act: () => unknown;
}

function remedy(
  store: Store,
  numero: string,
  { unanswered, stuck, failure }: Situation,
  open: Open,
): Remedy | undefined {
  if (unanswered) return { label: texts.startAgain, act: () => store.upAgain(numero) };
  if (stuck === 'not-deleted')
    return { label: texts.retry, act: () => store.deleteAgain(numero) || open({ kind: 'delete', numero }) };
  if (failure?.action === 'delete')
    return { label: texts.retry, act: () => open({ kind: 'delete', numero }) };
  if (failure) return { label: texts.retry, act: () => store.up(numero) };
  return stuck && { label: texts.startAgain, act: () => store.up(numero) };
}

function MendButton({ label, act, titleId }: Remedy & Pick<Props, 'titleId'>) {
  const button = useRef<HTMLButtonElement>(null);
  const [busy, run] = useBusy();
  useFocusKept(button);
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
