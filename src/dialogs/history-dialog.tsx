import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { HistoryEntry, happened } from '../card/history-entry.tsx';
import { usePanel, useSelector, useSession } from '../context/panel-context.ts';
import { reasonOf } from '../server/errors.ts';
import { joinPast, type Past, withPage } from '../session/history.ts';
import { dayOf, exactDateAndTime } from '../texts/moments.ts';
import * as texts from '../texts/sentences.ts';
import type { Translate } from '../texts/translate.ts';
import { Button, useBusy } from '../ui/button.tsx';
import { copyWithNotice } from '../ui/clipboard.ts';
import { Modal } from './modal.tsx';

/** What has happened to a session since the panel was opened, and before where the server remembers it, the newest first. */
export function HistoryDialog({ numero }: { numero: string }) {
  const { store, t } = usePanel();
  const record = useSession(numero);
  const stability = record?.details.stability;
  const own = record?.history ?? [];
  const [past, setPast] = useState<Past>();
  const [busy, run, failure] = useBusy();
  const list = useRef<HTMLOListElement>(null);
  const isKept = useSelector(store.snapshot, ({ extensions }) => extensions.has('history'));
  const entries = past ? joinPast(own, past) : own.toReversed();
  // With the focus on the list, the arrow keys scroll it at once.
  useLayoutEffect(() => list.current?.focus(), []);

  /** Loads the newest page, or the one before those that are there. */
  const load = (after?: Past) =>
    run(async (fail) => {
      const before = after?.entries.at(-1)?.at;
      const last = store.get(numero)?.history.at(-1)?.id ?? 0;
      const { page: older, error } = await store.run('history', numero, { before });
      if (!older) return fail(t(texts.pastFailed, reasonOf(t, error)));
      const loaded = withPage(after, older, after?.requestedAfter ?? last);
      // The button with the focus disappears.
      if (after && loaded.complete) list.current?.focus();
      setPast(loaded);
    });
  const begin = useEffectEvent(() => load());
  useEffect(() => {
    if (isKept) void begin();
  }, [isKept]);

  const copy = (button: HTMLButtonElement) => {
    const text = [
      numero,
      ...entries.map((entry) => {
        const words = `${exactDateAndTime(t, entry.at)} – ${happened(t, entry)}`;
        // Support staff search for the code.
        return entry.code ? `${words} (${entry.code})` : words;
      }),
    ].join('\n');
    return copyWithNotice(store, text, list.current, button);
  };

  const known = past?.complete && t(texts.noneEarlier);
  const progress = failure ?? (busy || !past ? t(texts.loadingPast) : known);
  return (
    <Modal title={texts.historyTitle} numero={numero}>
      {stability && (
        <p>{t(texts.stability, stability.days, t(texts.drops, stability.drops), span(t, stability.away))}</p>
      )}
      {record ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <ol ref={list} className="history" tabIndex={0} aria-label={t(texts.historyTitle, numero)}>
          {entries.map((entry, index) => {
            const [day, before] = [entry, entries[index - 1]].map((one) => one && dayOf(t, one.at));
            return <HistoryEntry key={entry.id} entry={entry} day={day === before ? '' : day} />;
          })}
        </ol>
      ) : (
        <p>{t(texts.notListed)}</p>
      )}
      <div className="dialog-buttons">
        <p className={failure ? 'muted failure' : 'muted'} role="status">
          {isKept || past ? progress : t(texts.historyBegin)}
        </p>
        {(failure || (past && !past.complete)) && (
          <Button aria-disabled={busy} onClick={() => load(past)}>
            {t(failure ? texts.retry : texts.earlier)}
          </Button>
        )}
        <Button disabled={!record} onClick={(event) => copy(event.currentTarget)}>
          {t(texts.copy)}
        </Button>
      </div>
    </Modal>
  );
}

function span(t: Translate, ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 60 ? t(texts.minutes, minutes) : t(texts.hours, Math.round(minutes / 60));
}
