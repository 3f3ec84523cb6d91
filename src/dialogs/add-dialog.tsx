import { type SyntheticEvent, useId, useState } from 'react';
import { usePanel } from '../context/panel-context.ts';
import { reasonOf } from '../server/errors.ts';
import { failed } from '../session/advice.ts';
import * as texts from '../texts/sentences.ts';
import { useBusy } from '../ui/button.tsx';
import { Late } from '../ui/time.ts';
import { ConfirmDialog, useClose } from './modal.tsx';

/** The length of a numero in characters. */
const MIN_LENGTH = 10;
const MAX_LENGTH = 13;

/** Asks for the numero to add. It stays open, with what was typed, until the server has accepted it. */
export function AddDialog() {
  const { store, settings, t, added, may } = usePanel();
  const [numero, setNumero] = useState('');
  /** The beginning of a number that is longer than the field. */
  const [cut, setCut] = useState<string>();
  /** The numero that was sent last: another one has not been refused. */
  const [sent, setSent] = useState<string>();
  const [busy, run, refused] = useBusy();
  const adviceId = useId();
  const close = useClose();

  /**
   * Inserts a number without its signs, which the server may not understand, and says so where it does not fit. The browser
   * inserts what needs no change.
   */
  const insert = (event: SyntheticEvent<HTMLInputElement>, text: string) => {
    const input = event.currentTarget;
    const { value, selectionStart, selectionEnd } = input;
    const room = MAX_LENGTH - value.length + (selectionEnd ?? 0) - (selectionStart ?? 0);
    const wanted = numberInText(text) ?? (/\p{L}/u.test(value + text) ? text : '');
    const fitting = wanted.slice(0, room);
    if (busy || fitting === text) return;
    event.preventDefault();
    input.focus();
    // Deprecated, but the only way to insert text that the browser can undo.
    if (fitting) input.ownerDocument.execCommand('insertText', false, fitting);
    if (fitting !== wanted) setCut(input.value);
  };

  return (
    <ConfirmDialog
      title={texts.addTitle}
      numero={numero}
      question={t(texts.addMessage)}
      confirm={t(texts.addConfirm)}
      // What is cut is not the number that was meant.
      confirmDisabled={numero.length < MIN_LENGTH || cut === numero}
      busy={busy}
      needs="start"
      onConfirm={() =>
        run(async (fail) => {
          setSent(numero);
          const outcome = await store.run('up', numero);
          if (outcome.error) fail(failed(t, { what: 'notStarted', message: reasonOf(t, outcome.error) }));
          else {
            const { group } = settings.get();
            // It would not be shown. One of another group stays there.
            if (group && may('label') && !store.all.get(outcome.numero)?.details.group)
              await store.run('rename', outcome.numero, { group: group.split(',')[0] });
            if (close()) added.call(outcome.numero);
          }
        })
      }
    >
      <input
        aria-label={t(texts.addTitle)}
        type="tel"
        autoComplete="off"
        maxLength={MAX_LENGTH}
        value={numero}
        // What is typed now would be lost when the answer closes the dialog.
        readOnly={busy}
        aria-describedby={adviceId}
        // What is filled in is not inserted. Nobody sees its marks, which the server may not understand.
        onChange={(event) => setNumero(event.target.value.replace(/[\p{DI}\p{Cf}]/gu, ''))}
        onBeforeInput={(event) => insert(event, event.data)}
        onPaste={(event) => insert(event, event.clipboardData.getData('text'))}
      />
      <div id={adviceId} className="numero-advice muted">
        {/* Once the number is added, it is on the list. */}
        <p role="status">
          {cut === numero
            ? t(texts.tooManyCharacters, MAX_LENGTH)
            : !busy && store.all.has(numero) && t(texts.listed)}
        </p>
        <p role="status">{busy && <Late>{t(texts.outcomes.unanswered)}</Late>}</p>
        {sent === numero && <p className="failure">{refused}</p>}
      </div>
    </ConfirmDialog>
  );
}

/**
 * Returns the digits of a number as people copy it: with spaces, signs, invisible marks and words around it, with `00`
 * for the +, or with the `(0)` that is dialled only within the country. Undefined where there is no number.
 */
export function numberInText(copied: string): string | undefined {
  const runs = copied.split(/\p{L}+/u).map((run) => run.replace('(0)', '').replace(/\D/g, ''));
  const [longest = ''] = runs.sort((one, other) => other.length - one.length);
  const digits = longest.replace(/^00(?=\d{9})/, '');
  // Among words, only a number of full length surely is one.
  return digits.length < (runs.length > 1 ? MIN_LENGTH : 1) ? undefined : digits;
}
