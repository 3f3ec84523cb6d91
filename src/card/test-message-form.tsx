import { type KeyboardEvent, useRef, useState } from 'react';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';
import { LateAnswer } from '../ui/late-answer.tsx';
import { time } from '../ui/time.ts';
import { useBusy } from '../ui/use-busy.ts';
import { explainRefusal } from './refusal.ts';

interface Props {
  readonly store: Store;
  /** The session that sends. */
  readonly numero: string;
  /** Of what says whose card it is. */
  readonly titleId: string;
}

/** The id of the list that the number fields of all cards offer. It is the shadow root's own. */
export const DESTINATIONS = 'destinations';

/** What there is to read about the last sending. */
interface Ending {
  readonly accepted: boolean;
  readonly text: string;
  /** Whether it is the number in the field that was refused. */
  readonly wrongNumber?: boolean;
}

/**
 * The test message of a card. The fields keep what was typed, sent or not (design §3).
 *
 * It is no `<form>`: when a script touches one, Chromium looks up the property among the names of its fields, and from
 * then on looks through the fields of all such forms at every change of the page. Five thousand cards took twice the
 * time to come.
 */
export function TestMessageForm({ store, numero, titleId }: Props) {
  const textId = `${titleId}text`;
  const numberId = `${titleId}number`;
  const endingId = `${titleId}ending`;
  const textField = useRef<HTMLInputElement>(null);
  const numberField = useRef<HTMLInputElement>(null);
  const [ending, setEnding] = useState<Ending>();
  const [busy, run] = useBusy();

  const send = async () => {
    setEnding(undefined);
    const text = textField.current?.value ?? '';
    const to = numberField.current?.value ?? '';
    const { error } = await store.send({ from: numero, text, to });
    if (!error) return setEnding({ accepted: true, text: texts.accepted(time(Date.now())) });
    const { text: why, wrongNumber } = explainRefusal(error, to, store.session(numero)?.state);
    setEnding({ accepted: false, text: why, wrongNumber: wrongNumber && numberField.current?.value === to });
  };

  // Looked up when it may be of use, since no card has to follow what the others send; and before the number's field
  // has the focus, since Firefox asks then whether it has a list.
  const offer = () => {
    if (store.getSnapshot().destination !== undefined)
      numberField.current?.setAttribute('list', DESTINATIONS);
  };

  // As in a form; but not the Enter that ends a composition, or is held.
  const sendOnEnter = ({ key, repeat, nativeEvent }: KeyboardEvent) => {
    if (key === 'Enter' && !repeat && !nativeEvent.isComposing) run(send);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears what its fields do
    <div className="test-message" onInput={() => setEnding(undefined)} onFocus={offer} onPointerDown={offer}>
      <label htmlFor={textId}>{texts.testMessage}</label>
      <input
        ref={textField}
        id={textId}
        type="text"
        autoComplete="off"
        enterKeyHint="send"
        onKeyDown={sendOnEnter}
        aria-describedby={titleId}
      />
      <label htmlFor={numberId}>{texts.number}</label>
      <input
        ref={numberField}
        id={numberId}
        type="text"
        autoComplete="off"
        inputMode="tel"
        enterKeyHint="send"
        onKeyDown={sendOnEnter}
        aria-describedby={`${titleId} ${endingId}`}
        aria-invalid={ending?.wrongNumber || undefined}
      />
      {/* How a sending ended, a notice has told already; that no answer comes, nobody else tells. */}
      <p
        id={endingId}
        className="ending"
        data-accepted={ending?.accepted}
        aria-live={busy ? 'polite' : undefined}
      >
        {ending?.text ?? (busy && <LateAnswer text={texts.noAnswerYet} />)}
      </p>
      <button
        type="button"
        className="tonal"
        aria-describedby={titleId}
        aria-disabled={busy || undefined}
        onClick={() => run(send)}
      >
        {texts.send}
      </button>
    </div>
  );
}
