import { useRef } from 'react';
import { explain } from '../explain.ts';
import type { Session } from '../sessions.ts';
import type { Situation } from '../situation.ts';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';
import type { Open } from './open-dialog.ts';
import { dateAndTime, isToday, time } from './time.ts';
import { useBusy } from './use-busy.ts';
import { useFocusKept } from './use-focus-kept.ts';

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
