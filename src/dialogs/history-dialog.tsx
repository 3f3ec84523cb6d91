import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { HistoryEntry, happened } from '../card/history-entry.tsx';
import { usePanel, useSelector, useSession } from '../context/panel-context.ts';
import { reasonOf } from '../server/errors.ts';
import { joinPast, type Past, withPage } from '../session/history.ts';
import * as texts from '../texts/sentences.ts';
import { clause, type Translate } from '../texts/translate.ts';
import { Button, useBusy } from '../ui/button.tsx';
import { copyWithNotice } from '../ui/clipboard.ts';
import { dayOf, exactDateAndTime, Late, minutesIn } from '../ui/time.ts';
import { Modal } from './modal.tsx';

/** What has happened to a session since the panel was opened, and before where the server remembers it, the newest first. */
export function HistoryDialog({ numero }: { numero: string }) {
  const { store, t } = usePanel();
  const record = useSession(numero);
  const { reason, stability } = record?.details ?? {};
  const own = record?.history ?? [];
  const [past, setPast] = useState<Past>();
  const [busy, run, failure] = useBusy();
  const list = useRef<HTMLOListElement>(null);
  /** How many entries the last page had that was asked for. */
  const [more, setMore] = useState<string>();
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
      if (after) setMore(t(texts.loadedPast, loaded.entries.length - after.entries.length));
      setPast(loaded);
    });
  const begin = useEffectEvent(() => load());
  useEffect(() => {
    if (isKept) void begin();
  }, [isKept]);

  const copy = (button: HTMLButtonElement) => {
    const text = [
      numero,
      ...(reason ? [withCode(t(texts.reason, clause(reason.text)), reason.code)] : []),
      ...entries.map((entry) =>
        withCode(`${exactDateAndTime(t, entry.at)} – ${happened(t, entry)}`, entry.code),
      ),
    ].join('\n');
    return copyWithNotice(store, text, list.current, button);
  };

  // Empty while the next page is loaded: a text that does not change would not be announced.
  const loaded = !busy && [more, past?.complete && t(texts.noneEarlier)].filter(Boolean).join('. ');
  const progress = failure ?? (past ? loaded : t(texts.loadingPast));
  const reach = isKept || past ? progress : t(texts.historyBegin);
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
      <p className="muted" role="status">
        <span className={reach === failure ? 'failure' : undefined}>{reach}</span>{' '}
        {busy && <Late>{t(texts.listLate)}</Late>}
      </p>
      <div className="dialog-buttons">
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
  const minutes = minutesIn(ms);
  return minutes < 60 ? t(texts.minutes, minutes) : t(texts.hours, Math.round(minutes / 60));
}

/** Support staff search for the code. */
const withCode = (text: string, code: string | undefined) => (code ? `${text} (${code})` : text);
