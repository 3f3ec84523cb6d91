import { type ComponentProps, memo } from 'react';
import { type Ending, sendDraft } from '../context/draft.ts';
import { useDraft, usePanel, useSession } from '../context/panel-context.ts';
import { log } from '../log.ts';
import * as texts from '../texts/sentences.ts';
import { Button } from '../ui/button.tsx';
import { Late, time, useLate } from '../ui/time.ts';
import type { NumeroProps } from './advice.tsx';

/** The test message of a card. The fields keep what was typed, sent or not. */
export const TestMessageForm = memo(function TestMessageForm({ numero, titleId }: NumeroProps) {
  const { store, t, cards } = usePanel();
  const endingId = `${titleId}ending`;
  const draft = useDraft(numero);
  const { sending, ending } = draft;

  const field = (name: 'text' | 'to', label: string, attributes?: ComponentProps<'input'>) => (
    <>
      <label htmlFor={titleId + name}>{label}</label>
      <input
        id={titleId + name}
        type="text"
        autoComplete="off"
        enterKeyHint="send"
        value={draft[name]}
        onChange={({ target }) => cards.drafts.update(numero, { [name]: target.value, ending: undefined })}
        aria-describedby={titleId}
        {...attributes}
      />
    </>
  );

  return (
    <form
      className="test-message"
      onSubmit={(event) => {
        event.preventDefault();
        sendDraft(store, cards.drafts, numero).catch(log);
      }}
    >
      {field('text', t(texts.testMessage))}
      {field('to', t(texts.number), {
        inputMode: 'tel',
        'aria-describedby': `${titleId} ${endingId}`,
        'aria-invalid': ending?.wrongNumber,
      })}
      {/* Live only while busy: a notice announces how a sending ended. */}
      <p
        id={endingId}
        className="ending"
        data-accepted={ending?.accepted}
        aria-live={sending ? 'polite' : undefined}
      >
        {ending?.id ? (
          <Arrival key={ending.id} numero={numero} ending={ending} />
        ) : (
          (ending?.text ?? (sending && <Late>{t(texts.noAnswerYet)}</Late>))
        )}
      </p>
      <Button
        type="submit"
        className="tonal"
        part="button send-button"
        aria-describedby={titleId}
        aria-disabled={sending}
      >
        {t(texts.send)}
      </Button>
    </form>
  );
});

function Arrival({ numero, ending }: { numero: string; ending: Ending }) {
  const { t } = usePanel();
  const message = useSession(numero)?.lastMessage;
  const isLate = useLate(undefined, message?.at);
  if (!message || message.id !== ending.id || message.status === 'accepted')
    return (
      <span role="status" data-status={isLate ? 'late' : undefined}>
        {isLate ? t(texts.unacked) : ending.text}
      </span>
    );
  const { status, error, at } = message;
  return (
    <span role="status" data-status={status}>
      {status === 'failed'
        ? t(texts.undelivered, error?.replace(/\.$/, '') ?? t(texts.rejected))
        : t(texts.ackedAt, t(texts.acks[status]), time(t, at))}
    </span>
  );
}
