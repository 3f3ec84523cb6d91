import { Operable, usePanel } from '../panel-context.ts';
import type { SessionRecord } from '../session/record.ts';
import { isStarting } from '../session/remedy.ts';
import type { Remedy } from '../session/states.ts';
import * as texts from '../texts.ts';
import { focusFallback } from '../ui/focus.ts';

interface Props {
  readonly record: SessionRecord;
  readonly remedy: Remedy;
  /** The id of what names the session. */
  readonly titleId: string;
}

/** What mends a session, in one button. */
export function RemedyButton({ record, remedy, titleId }: Props) {
  const { store, dialog, askToDelete, restart } = usePanel();
  const { numero } = record.session;

  const act = () => {
    if (remedy === 'code') dialog.set({ kind: 'code', numero });
    else if (remedy === 'delete') store.deleteAgain(numero) || askToDelete(numero);
    else if (remedy !== 'again' || !store.upAgain(numero)) restart([numero], () => store.up(numero));
  };

  return (
    <Operable>
      <button
        ref={focusFallback}
        type="button"
        className="tonal remedy"
        aria-describedby={titleId}
        aria-haspopup={remedy === 'code' ? 'dialog' : undefined}
        aria-disabled={isStarting(record) || undefined}
        onClick={act}
      >
        {texts.remedies[remedy]}
      </button>
    </Operable>
  );
}
