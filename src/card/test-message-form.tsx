import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { usePanel } from '../panel-context.ts';
import * as texts from '../texts.ts';
import { useBusy } from '../ui/busy.ts';
import { LateAnswer } from '../ui/late-answer.tsx';
import { time } from '../ui/time.ts';
import { Arrival } from './arrival.tsx';
import { explainRefusal } from './refusal.ts';

interface Props {
  /** The session that sends. */
  readonly numero: string;
  /** The id of what names the session. */
  readonly titleId: string;
}

/** The id, in the shadow root, of the list that the number fields of all cards offer. */
export const DESTINATIONS = 'destinations';

/** How the last sending ended. */
interface Ending {
  readonly accepted: boolean;
  readonly text: ReactNode;
  /** Whether the number in the field was refused. */
  readonly wrongNumber?: boolean;
}

/**
 * The test message of a card. The fields keep what was typed, sent or not (design §3).
 *
 * Not a `<form>`: once a script has touched one, Chromium looks through its fields at every change of the page, which
 * doubled the time until five thousand cards were there.
 */
export function TestMessageForm({ numero, titleId }: Props) {
  const { store } = usePanel();
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
    const idBefore = store.get(numero)?.lastMessage?.id;
    const { error } = await store.send({ from: numero, text, to });
    if (!error) {
      const accepted = texts.accepted(time(Date.now()));
      const { id } = store.get(numero)?.lastMessage ?? {};
      const text =
        id === idBefore || !id ? accepted : <Arrival key={id} numero={numero} id={id} accepted={accepted} />;
      return setEnding({ accepted: true, text });
    }
    const { text: why, wrongNumber } = explainRefusal(error, to, store.get(numero)?.session.state);
    setEnding({ accepted: false, text: why, wrongNumber: wrongNumber && numberField.current?.value === to });
  };

  // Set on demand, so that no card follows what the others send; and before the number's field has the focus, since
  // Firefox looks for the list only then.
  const offer = () => {
    if (store.snapshot.get().destination !== undefined)
      numberField.current?.setAttribute('list', DESTINATIONS);
  };

  // As in a form; but not the Enter that ends a composition or is held.
  const sendOnEnter = ({ key, repeat, nativeEvent }: KeyboardEvent) => {
    if (key === 'Enter' && !repeat && !nativeEvent.isComposing) void run(send);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to its fields
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
      {/* Live only while busy: a notice announces how a sending ended. */}
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
