import { useRef } from 'react';
import { usePanel } from '../panel-context.ts';
import type { Remedy } from '../session/remedy.ts';
import * as texts from '../texts.ts';
import { useBusy } from '../ui/busy.ts';
import { useFocusFallback } from '../ui/focus.ts';

interface Props {
  readonly numero: string;
  readonly remedy: Remedy;
  /** The id of what names the session. */
  readonly titleId: string;
}

/** What mends a session, in one button. */
export function RemedyButton({ numero, remedy, titleId }: Props) {
  const { store, openDialog, askToDelete } = usePanel();
  const button = useRef<HTMLButtonElement>(null);
  const [busy, run] = useBusy();
  useFocusFallback(button);

  const act = async () => {
    if (remedy === 'code') openDialog({ kind: 'code', numero });
    else if (remedy === 'delete') store.deleteAgain(numero) || askToDelete(numero);
    else if (remedy !== 'again' || !store.upAgain(numero)) await store.up(numero);
  };

  return (
    <button
      ref={button}
      type="button"
      className="tonal remedy"
      aria-describedby={titleId}
      aria-haspopup={remedy === 'code' ? 'dialog' : undefined}
      aria-disabled={busy || undefined}
      onClick={() => run(act)}
    >
      {texts.remedies[remedy]}
    </button>
  );
}
