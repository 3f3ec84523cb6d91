/** What the state of a session means, and what mends it. */
import { type ComponentProps, useSyncExternalStore } from 'react';
import { usePanel } from '../context/panel-context.ts';
import { adviceOn } from '../session/advice.ts';
import { minutes } from '../session/clock.ts';
import { isStarting, type SessionRecord } from '../session/record.ts';
import { badgeOf, isStart, permissionFor, type Remedy, remedyFor } from '../session/states.ts';
import { ago, exactDateAndTime, inMinutes } from '../texts/moments.ts';
import * as texts from '../texts/sentences.ts';
import type { Sentence } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { useSecondsLeft } from '../ui/time.ts';
import { STATES } from '../wire.ts';

export interface RecordProps {
  readonly record: SessionRecord;
  /** The id of what names the session. */
  readonly titleId: string;
}

export const badge = ({ session, status }: SessionRecord) =>
  session.state !== '' && (
    <p className="state" part="state" data-asks={badgeOf(session, status)}>
      {session.state}
    </p>
  );

/** Where the head of a session is. Rows tell how old the state is in any case. */
export type Place = 'card' | 'row' | 'openRow' | 'dialog' | 'single';

export interface AdviceProps extends RecordProps {
  readonly place: Place;
}

/** The exact state text of a session, since when, what it means, the signs that it works, and what mends it. */
export function Advice({ record, titleId, place }: AdviceProps) {
  const panel = usePanel();
  const { t, may } = panel;
  const { session, status, stateSince, details } = record;
  const { lastSignal, quota, proxy, exit } = details;
  const isWhole = place !== 'row';
  const inRow = place === 'openRow' || !isWhole;
  const remedy = remedyFor(record);
  const hasCode = session.qrCode !== undefined && may('codes');
  const isSingle = place === 'single';
  const isOnCode = hasCode && (place === 'dialog' || isSingle);
  const isOfCode = remedy === 'code' || remedy === 'newCode';
  // A card has the others below; where a code is large, it has its own.
  const isHere = place === 'card' ? remedy === 'passkey' : !(isOnCode && isOfCode);
  const connected = session.state === STATES.connected;
  const signal = connected ? lastSignal : undefined;
  // There is one thing to say of a session that works: that it does.
  const isEnough = (inRow || isSingle) && signal !== undefined && status.condition === STATES.connected;
  // What a code asks for, its place and the steps say, which are there before it: nothing may come between.
  const isSaid = isSingle && /^code/.test(status.condition);
  const since = isSaid ? undefined : (details.since ?? (inRow ? stateSince : undefined));
  const lines = isEnough || isSaid ? [] : adviceOn(panel, record);
  return (
    <>
      <div className="state-line muted">
        {badge(record)}
        {place === 'card' && hasCode && status.codeUntil !== undefined ? (
          <TimeLeft from={status.codeFrom} until={status.codeUntil} />
        ) : (
          since !== undefined && <Ago at={since} sentence={inRow ? undefined : texts.since} />
        )}
      </div>
      <div className="advice muted">
        {lines.map(([text, look]) => (
          <p key={text} className={look}>
            {text}
          </p>
        ))}
        {signal !== undefined && (isWhole || isEnough) && (
          <p>
            <Ago at={signal} sentence={texts.lastSignal} />
          </p>
        )}
        {isWhole && connected && quota && <p>{t(texts.newChats, quota.used, quota.total)}</p>}
        {isWhole && proxy && <p>{t(texts.through, exit ? `${proxy} (IP ${exit})` : proxy)}</p>}
      </div>
      {isHere && (
        <RemedyButton
          record={record}
          remedy={remedy}
          titleId={titleId}
          className={inRow ? 'outlined remedy' : 'filled'}
        >
          {isSingle && remedy === 'start' ? t(texts.start) : undefined}
        </RemedyButton>
      )}
    </>
  );
}

/** When a code ends, hidden with 0; and as a bar how much of its life is left, where its beginning is known. */
export function TimeLeft({ from, until }: { from?: number | undefined; until: number }) {
  const { t } = usePanel();
  const left = useSecondsLeft(until);
  const scale = from && `${(1000 * left) / (until - from)} 1`;
  return (
    <p className="muted" role="timer" style={until ? undefined : { visibility: 'hidden' }}>
      {t(texts.timeLeft, inMinutes(left))}
      {scale && <i className="freshness" aria-hidden="true" style={{ scale }} />}
    </p>
  );
}

/** How long ago something was. The exact moment is its title, set under the pointer: its formatter would delay the first card. */
function Ago({ at, sentence }: { at: number; sentence: Sentence | undefined }) {
  const { t } = usePanel();
  const text = useSyncExternalStore(minutes, () => ago(t, at, Date.now()));
  const isNow = sentence === texts.since && text === t(texts.justNow);
  return (
    <time
      dateTime={new Date(at).toISOString()}
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = exactDateAndTime(t, at);
      }}
    >
      {sentence ? t(sentence, isNow ? t(texts.aWhileAgo) : text) : text}
    </time>
  );
}

type RemedyProps = RecordProps & ComponentProps<'button'> & { readonly remedy: Remedy | undefined };

export function RemedyButton({ record, remedy, titleId, ...attributes }: RemedyProps) {
  const { store, t, dialog, may } = usePanel();
  const { numero } = record.session;
  const { step, url } = (remedy === 'passkey' && record.details.passkey) || {};
  const isAsked = remedy === 'code' || (remedy === 'delete' && !record.beforeDeletion);
  const opened = step === 'sign' && !url ? 'link' : isAsked ? remedy : undefined;
  if (!remedy || !may(opened === 'link' ? opened : permissionFor(remedy))) return null;
  const disabled = isStart(remedy) && isStarting(record);

  const act = () => {
    if (opened) dialog.set({ kind: opened, numero });
    else if (step === 'confirm') void store.run('passkey', numero);
    else if (url) open(url, '_blank', 'noopener');
    else if (remedy === 'delete') void store.run('delete', numero);
    else if (!disabled) void store.run('up', numero);
  };

  return (
    <Button
      aria-describedby={titleId}
      aria-haspopup={opened && 'dialog'}
      aria-disabled={disabled}
      onClick={act}
      {...attributes}
    >
      {attributes.children ?? t(texts.remedies[remedy])}
    </Button>
  );
}
