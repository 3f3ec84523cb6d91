import { useEffect, useState } from 'react';
import { explain } from '../card/advice.tsx';
import { usePanel } from '../context/panel-context.ts';
import { calledBy, type SessionRecord } from '../session/record.ts';
import { hasDropped } from '../session/session-map.ts';
import * as texts from '../texts/sentences.ts';
import { alert } from './alerts.tsx';

/** Milliseconds for which changes are collected into one announcement. */
const BATCH_MS = 1000;
/** How many changes an announcement names. */
const MOST_NAMED = 3;

/** A session before the first change that has not been announced. */
interface Collected {
  readonly before: SessionRecord;
  readonly dropped: boolean;
}

/**
 * Announces to screen readers, politely, which sessions changed their state, dropped, have been waiting for too long, or
 * were restricted.
 * A change is announced once, and not if it was undone meanwhile; many are announced as a number. Drops also trigger the
 * page's alerts.
 */
export function Announcer() {
  const { store, settings } = usePanel();
  const [{ at, text }, setAnnouncement] = useState({ at: 0, text: '' });

  useEffect(() => {
    const collected = new Map<string, Collected>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const announce = () => {
      timer = undefined;
      const { t } = store;
      const changes: string[] = [];
      const overdue: string[] = [];
      let drops = 0;
      for (const [numero, { before, dropped }] of collected) {
        const now = store.get(numero);
        if (!now) continue;
        const { session } = now;
        if (session.state !== before.session.state) {
          const called = calledBy(now);
          changes.push(dropped ? t(texts.droppedTo, called, session.state) : `${called}: ${session.state}`);
          if (dropped) drops += 1;
        } else if (isNewlyInNeed(before, now)) {
          overdue.push(`${calledBy(now)}: ${explain(t, now) ?? session.state}`);
        }
      }
      collected.clear();
      const sentences = [
        ...fewOrCount(changes, (count) =>
          t(drops === 0 ? texts.changes : texts.changesAndDrops, count, drops),
        ),
        ...fewOrCount(overdue, (count) => t(texts.announcedOverdue, count)),
      ];
      if (drops > 0) alert(store, settings.get().alerts);
      if (sentences.length > 0) setAnnouncement({ at: Date.now(), text: sentences.join('. ') });
    };
    const stop = store.changes.add((change) => {
      const { cause, numero, before, now } = change;
      if (!before || !now) return;
      const isOther = now.session.state !== before.session.state;
      // What the server told all along is no news when the panel begins to show it.
      const mayTell = cause === 'tick' || (cause !== 'configured' && now.status.condition === 'restricted');
      if (!isOther && !(mayTell && isNewlyInNeed(before, now))) return;
      const earlier = collected.get(numero);
      collected.set(numero, {
        before: earlier?.before ?? before,
        dropped: hasDropped(change) || !!earlier?.dropped,
      });
      timer ??= setTimeout(announce, BATCH_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [store, settings]);

  return (
    <p className="visually-hidden" role="status">
      {/* A new element each time: a text that does not change would not be announced. */}
      <span key={at}>{text}</span>
    </p>
  );
}

/** Whether a session needs a person now, or needs one for another reason. */
function isNewlyInNeed({ status: before }: SessionRecord, { status: now }: SessionRecord): boolean {
  return now.asks === 'act' && (before.asks !== 'act' || before.condition !== now.condition);
}

function fewOrCount(sentences: string[], many: (count: number) => string): string[] {
  return sentences.length > MOST_NAMED ? [many(sentences.length)] : sentences;
}
