import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { HistoryEntry, happened } from '../card/history-entry.tsx';
import { usePanel, useSelector, useSession } from '../context/panel-context.ts';
import { messageOf } from '../server/errors.ts';
import { type Entry, joinPast, keyOf, type Past, type PastEntry, withPage } from '../session/history.ts';
import * as texts from '../texts/sentences.ts';
import type { Translate } from '../texts/translate.ts';
import { Button, useBusy } from '../ui/button.tsx';
import { copyWithNotice } from '../ui/clipboard.ts';
import { exactDateAndTime, Late, minutesIn } from '../ui/time.ts';
import { Modal } from './modal.tsx';

/** Milliseconds after an event until the newest page is loaded again: the server may record it after it has pushed it. */
const RELOAD_MS = 500;

/** What has happened to a session since the panel was opened, or as far back as the server remembers it, the newest first. */
export function HistoryDialog({ numero }: { numero: string }) {
  const { store, t } = usePanel();
  const { history: own, details } = useSession(numero) ?? {};
  const page = own ?? [];
  const last = page.at(-1)?.id;
  const [past, setPast] = useState<Past>();
  /** The id of the page's last entry when the newest page was requested that has come. */
  const [loadedAt, setLoadedAt] = useState<number>();
  const [busy, run, failure] = useBusy();
  const list = useRef<HTMLOListElement>(null);
  /** How many entries an earlier page had. */
  const [more, setMore] = useState<string>();
  const isKept = useSelector(store.snapshot, ({ extensions }) => extensions.has('history'));
  const entries = past ? joinPast(page, past) : page.toReversed();
  const { stability } = details ?? {};
  // With the focus on the list, the arrow keys scroll it at once.
  useLayoutEffect(() => list.current?.focus(), []);

  /** Loads the newest page, or the one before a moment of the server's clock. */
  const load = (end?: number) =>
    run(async (fail) => {
      // A text that does not change would not be announced.
      if (end !== undefined) setMore(undefined);
      const { page: answer, error } = await store.run('history', numero, { before: end });
      if (!answer) return fail(t(texts.pastFailed, messageOf(error)));
      const loaded = withPage(past, answer, end);
      if (end === undefined) setLoadedAt(last);
      else setMore(t(texts.loadedPast, loaded.entries.length - (past?.entries.length ?? 0)));
      setPast(loaded);
    });
  // A push says neither whether the server has an entry of it nor when: what it has is loaded again.
  const isOld = last !== loadedAt;
  const isDue = isKept && isOld && !busy && !failure;
  const reload = useEffectEvent(() => load());
  useEffect(() => {
    if (!isDue) return;
    const timer = setTimeout(reload, loadedAt === undefined ? 0 : RELOAD_MS);
    return () => clearTimeout(timer);
  }, [isDue, loadedAt]);

  const copy = (button: HTMLButtonElement) => {
    const { reason } = details ?? {};
    const text = [
      numero,
      ...(reason ? [withCode(t(texts.reason, reason.text), reason.code)] : []),
      ...entries.map((entry) => inWords(t, entry)),
    ].join('\n');
    return copyWithNotice(store, text, list.current, button);
  };

  const loaded = [more, past?.complete && t(texts.noneEarlier)].filter(Boolean).join('. ');
  const progress = failure ?? (past ? loaded : t(texts.loadingPast));
  const reach = isKept || past ? progress : t(texts.historyBegin);
  return (
    <Modal title={t(texts.historyTitle, numero)} numero={numero}>
      {stability && (
        <p>
          {t(
            texts.stability,
            stability.days,
            t(texts.drops, stability.drops),
            span(t, minutesIn(stability.away)),
          )}
        </p>
      )}
      {own ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <ol ref={list} className="history" tabIndex={0} aria-label={t(texts.historyTitle, numero)}>
          {entries.map((entry) => (
            <HistoryEntry key={keyOf(entry)} entry={entry} />
          ))}
        </ol>
      ) : (
        <p>{t(texts.notListed)}</p>
      )}
      <p className="history-begin" role="status">
        <span className={reach === failure ? 'failure' : undefined}>{reach}</span>{' '}
        {busy && <Late>{t(texts.listLate)}</Late>}
      </p>
      <div className="dialog-buttons">
        {(failure || (past && !past.complete)) && (
          <Button
            aria-disabled={busy}
            onClick={() => load(failure && isOld ? undefined : past?.entries.at(-1)?.at)}
          >
            {t(failure ? texts.retry : texts.earlier)}
          </Button>
        )}
        <Button disabled={!own} onClick={(event) => copy(event.currentTarget)}>
          {t(texts.copy)}
        </Button>
      </div>
    </Modal>
  );
}

const span = (t: Translate, minutes: number) =>
  minutes < 60 ? t(texts.minutes, minutes) : t(texts.hours, Math.round(minutes / 60));

function inWords(t: Translate, entry: Entry | PastEntry): string {
  return withCode(
    `${exactDateAndTime(t, entry.at)} – ${happened(t, entry)}`,
    'code' in entry ? entry.code : undefined,
  );
}

/** Support staff search for the code. */
const withCode = (text: string, code: string | undefined) => (code ? `${text} (${code})` : text);
