import { memo, useState } from 'react';
import { usePanel, useValue } from '../panel-context.ts';
import * as texts from '../texts.ts';
import { LateAnswer } from '../ui/live-time.tsx';
import { Arrival } from './arrival.tsx';
import { sendDraft } from './draft.ts';

interface Props {
  /** The session that sends. */
  readonly numero: string;
  /** The id of what names the session. */
  readonly titleId: string;
}

/** The id, in the shadow root, of the list that the number fields of all cards offer. */
export const DESTINATIONS = 'destinations';

/** The test message of a card. The fields keep what was typed, sent or not. */
export const TestMessageForm = memo(function TestMessageForm({ numero, titleId }: Props) {
  const { store, drafts } = usePanel();
  const textId = `${titleId}text`;
  const numberId = `${titleId}number`;
  const endingId = `${titleId}ending`;
  const { text, to, sending, ending } = useValue(drafts, numero);
  // On demand: with a list the field is a combo box, and no form follows what the others send. Before the field has the
  // focus, since Firefox looks for the list only then.
  const [offersList, setOffersList] = useState(false);
  const offer = () => setOffersList(store.snapshot.get().destination !== undefined);

  return (
    <form
      className="test-message"
      noValidate
      onFocus={offer}
      onPointerDown={offer}
      onSubmit={(event) => {
        event.preventDefault();
        void sendDraft(store, drafts, numero);
      }}
    >
      <label htmlFor={textId}>{texts.testMessage}</label>
      <input
        id={textId}
        type="text"
        autoComplete="off"
        enterKeyHint="send"
        value={text}
        onChange={({ target }) => drafts.update(numero, { text: target.value, ending: undefined })}
        aria-describedby={titleId}
      />
      <label htmlFor={numberId}>{texts.number}</label>
      <input
        id={numberId}
        type="text"
        autoComplete="off"
        inputMode="tel"
        enterKeyHint="send"
        list={offersList ? DESTINATIONS : undefined}
        value={to}
        onChange={({ target }) => drafts.update(numero, { to: target.value, ending: undefined })}
        aria-describedby={`${titleId} ${endingId}`}
        aria-invalid={ending?.wrongNumber || undefined}
      />
      {/* Live only while busy: a notice announces how a sending ended. */}
      <p
        id={endingId}
        className="ending"
        data-accepted={ending?.accepted}
        aria-live={sending ? 'polite' : undefined}
      >
        {ending?.id ? (
          <Arrival key={ending.id} numero={numero} id={ending.id} accepted={ending.text} />
        ) : (
          (ending?.text ?? (sending && <LateAnswer text={texts.noAnswerYet} />))
        )}
      </p>
      <button type="submit" className="tonal" aria-describedby={titleId} aria-disabled={sending || undefined}>
        {texts.send}
      </button>
    </form>
  );
});
