import { type SyntheticEvent, useId, useState } from 'react';
import { usePanel } from '../context/panel-context.ts';
import { messageOf } from '../server/http.ts';
import * as texts from '../texts.ts';
import { useBusy } from '../ui/busy.ts';
import { LateAnswer } from '../ui/live-time.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { useClose } from './modal.tsx';
import { digitsIn, hintOn, MAX_LENGTH, MIN_LENGTH } from './numero-hints.ts';

interface Props {
  readonly onAdded: (numero: string) => void;
}

/** Asks for the numero to add. It stays open, with what was typed, until the server has accepted it. */
export function AddDialog({ onAdded }: Props) {
  const { store } = usePanel();
  const [numero, setNumero] = useState('');
  /** The beginning of a number that is longer than the field. */
  const [cut, setCut] = useState<string>();
  const [refused, setRefused] = useState<{ numero: string; error: string }>();
  const [busy, run] = useBusy();
  const adviceId = useId();
  const close = useClose();

  /** Inserts only the digits where the copied text would not fit with its signs. */
  const insert = (event: SyntheticEvent<HTMLInputElement>, data: DataTransfer) => {
    const input = event.currentTarget;
    const copied = data.getData('text/plain');
    if (busy) return;
    const digits = digitsIn(copied);
    noticeCut(input, digits ?? copied);
    const room = roomIn(input);
    if (digits === undefined || (digits === copied && digits.length <= room)) return;
    event.preventDefault();
    input.focus();
    const fitting = digits.slice(0, room);
    // Deprecated, but the only way to insert text that the browser can undo.
    if (fitting) input.ownerDocument.execCommand('insertText', false, fitting);
  };

  /** The browser silently drops what does not fit. The field has the rest after this event. */
  const noticeCut = (input: HTMLInputElement, text: string) => {
    if (text.trim().length > roomIn(input)) setTimeout(() => setCut(input.value));
  };

  return (
    <ConfirmDialog
      title={texts.addTitle}
      numero={numero}
      message={texts.addMessage}
      confirm={texts.addConfirm}
      confirmDisabled={numero.length < MIN_LENGTH}
      busy={busy}
      onConfirm={() =>
        run(async () => {
          setRefused(undefined);
          const outcome = await store.up(numero);
          if (outcome.error) setRefused({ numero, error: messageOf(outcome.error) });
          else if (close()) onAdded(outcome.numero);
        })
      }
    >
      <input
        aria-label={texts.addTitle}
        type="tel"
        autoComplete="off"
        maxLength={MAX_LENGTH}
        value={numero}
        // What is typed now would be lost when the answer closes the dialog.
        readOnly={busy}
        aria-describedby={adviceId}
        onChange={(event) => setNumero(event.target.value)}
        onBeforeInput={({ currentTarget, data }) => noticeCut(currentTarget, data)}
        onPaste={(event) => insert(event, event.clipboardData)}
        onDrop={(event) => insert(event, event.dataTransfer)}
      />
      <div id={adviceId} className="numero-advice">
        <p role="status">
          {cut === numero
            ? texts.tooManyCharacters(MAX_LENGTH)
            : hintOn(numero, store.snapshot.get().numeros)}
        </p>
        <p role="status">{busy && <LateAnswer text={texts.conditions.unanswered} />}</p>
        {refused?.numero === numero && (
          <p className="refused">{texts.failed('notStarted', numero, refused.error)}</p>
        )}
      </div>
    </ConfirmDialog>
  );
}

/** How many more characters fit where the caret is, in place of what is selected. */
function roomIn({ value, selectionStart, selectionEnd }: HTMLInputElement): number {
  return MAX_LENGTH - value.length + (selectionEnd ?? 0) - (selectionStart ?? 0);
}
