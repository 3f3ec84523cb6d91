import { type ComponentProps, memo } from 'react';
import { type PanelShared, useDraft, usePanel, useSession } from '../context/panel-context.ts';
import { log } from '../log.ts';
import { factsOf, reasonOf } from '../server/errors.ts';
import { time } from '../texts/moments.ts';
import * as texts from '../texts/sentences.ts';
import { clause, type Translate } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { Late } from '../ui/time.ts';
import type { RecordProps } from './advice.tsx';

type Props = Pick<RecordProps, 'titleId'> & { readonly numero: string };

/** The test message of a card. The fields keep what was typed, sent or not. */
export const TestMessageForm = memo(function TestMessageForm({ numero, titleId }: Props) {
  const panel = usePanel();
  const { t, cards } = panel;
  const endingId = `${titleId}ending`;
  const draft = useDraft(numero);
  const { sending, ending } = draft;

  const field = (name: 'text' | 'to', label: string, attributes?: ComponentProps<'input'>) => (
    <label>
      {label}
      <input
        type="text"
        autoComplete="off"
        enterKeyHint="send"
        value={draft[name]}
        onChange={({ target }) => cards.drafts.update(numero, { [name]: target.value, ending: undefined })}
        aria-describedby={titleId}
        {...attributes}
      />
    </label>
  );

  return (
    <form
      className="test-message"
      onSubmit={(event) => {
        event.preventDefault();
        sendDraft(panel, numero).catch(log);
      }}
    >
      {field('text', t(texts.testMessage))}
      {field('to', t(texts.number), {
        inputMode: 'tel',
        'aria-describedby': `${titleId} ${endingId}`,
        'aria-invalid': ending?.wrongNumber,
      })}
      <Button
        type="submit"
        className="outlined"
        part="button send-button"
        aria-describedby={titleId}
        aria-disabled={sending}
      >
        {t(texts.send)}
      </Button>
      {/* Live only while busy: a notice announces how a sending ended. */}
      <p
        id={endingId}
        className={ending?.accepted === false ? 'ending muted failure' : 'ending muted'}
        aria-live={sending ? 'polite' : undefined}
      >
        {ending?.accepted ? (
          <Arrival numero={numero} accepted={ending.text} />
        ) : (
          (ending?.text ?? (sending && <Late>{t(texts.noAnswerYet)}</Late>))
        )}
      </p>
    </form>
  );
});

/** What becomes of a message that was accepted, where the server reports it. */
function Arrival({ numero, accepted }: { numero: string; accepted: string }) {
  const { t } = usePanel();
  const message = useSession(numero)?.lastMessage;
  if (!message) return accepted;
  const { status, error, at } = message;
  const words =
    status === 'failed'
      ? t(texts.undelivered, clause(error ?? t(texts.rejected)))
      : status !== 'accepted' && t(texts.ackedAt, t(texts.acks[status]), time(t, at));
  return (
    <span role="status" className={status === 'failed' ? 'failure' : undefined}>
      {words || accepted}
    </span>
  );
}

/** Sends the draft of a session, which keeps what was typed, sent or not. */
async function sendDraft({ store, cards: { drafts } }: PanelShared, numero: string): Promise<void> {
  const { text, to, sending } = drafts.get(numero);
  if (sending) return;
  drafts.update(numero, { sending: true, ending: undefined });
  const { error } = await store.run('send', numero, { text, to });
  // A session that has left the list has no draft.
  if (!store.get(numero)) return;
  // Before its time is told, which fails where the page has replaced the clock.
  drafts.update(numero, { sending: false });
  if (error) {
    const refusal = explainRefusal(store.t, error, to);
    // The operator may have corrected it meanwhile.
    const wrongNumber = refusal.wrongNumber && drafts.get(numero).to === to;
    drafts.update(numero, { ending: { ...refusal, accepted: false, wrongNumber } });
  } else {
    const text = store.t(texts.accepted, time(store.t, Date.now()));
    drafts.update(numero, { ending: { accepted: true, text } });
  }
}

/**
 * Says why a test message was not accepted, whether the number that it was to go to is wrong, and what to do, unless the
 * advice on the session says that.
 */
export function explainRefusal(t: Translate, error: Error, to: string) {
  const { kind, status, serverMessage } = factsOf(error);
  // A 422 means that the request is understood but impossible: because of the number, if the reason names it.
  const wrongNumber =
    kind === 'number' || (status === 422 && !!serverMessage?.includes(to.replace(/\D/g, '')));
  // Without an answer from the server itself, the outcome is unknown.
  const unanswered = status === 504 || kind === 'network' || kind === 'aborted';
  const outcome = kind === 'number' ? texts.unsent : unanswered ? texts.unconfirmed : texts.refused;
  const next = wrongNumber ? ` ${t(texts.typeNumber)}` : unanswered ? ` ${t(texts.look)}` : '';
  return { text: t(outcome, reasonOf(t, error)) + next, wrongNumber };
}
