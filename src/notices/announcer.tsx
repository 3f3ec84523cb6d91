import { useEffect, useEffectEvent, useState } from 'react';
import { usePanel } from '../context/panel-context.ts';
import { batch } from '../observable.ts';
import { explain } from '../session/advice.ts';
import { calledBy, type SessionRecord } from '../session/record.ts';
import { hasDropped } from '../session/session-map.ts';
import * as texts from '../texts/sentences.ts';

/** Milliseconds for which changes are collected into one announcement. */
const BATCH_MS = 1000;
/** How many changes an announcement names. */
const MOST_NAMED = 3;

/**
 * Announces to screen readers, politely, which sessions changed their state, dropped, have been waiting for too long, or
 * were restricted.
 * A change is announced once, and not if it was undone meanwhile; many are announced as a number.
 */
export function Announcer() {
  const panel = usePanel();
  const { store } = panel;
  const explained = useEffectEvent((record: SessionRecord) => explain(panel, record));
  const [{ at, text }, setAnnouncement] = useState({ at: 0, text: '' });

  useEffect(() => {
    /** Sessions before their first change that has not been announced. */
    const collected = new Map<string, SessionRecord>();
    const announcing = batch((run) => setTimeout(run, BATCH_MS), announce);

    function announce(): void {
      const { t } = store;
      const changes: string[] = [];
      const overdue: string[] = [];
      let drops = 0;
      for (const [numero, before] of collected) {
        const now = store.get(numero);
        if (!now) continue;
        const { session, status } = now;
        const { state } = session;
        const called = calledBy(now);
        if (state === before.session.state) {
          const isNew = before.status.asks !== 'act' || before.status.condition !== status.condition;
          if (status.asks === 'act' && isNew) overdue.push(`${called}: ${explained(now) ?? state}`);
        } else if (hasDropped({ before, now })) {
          drops += 1;
          changes.push(t(texts.droppedTo, called, state));
        } else changes.push(`${called}: ${state}`);
      }
      collected.clear();
      const sentences = [
        ...fewOrCount(changes, (count) =>
          t(drops === 0 ? texts.changes : texts.changesAndDrops, count, drops),
        ),
        ...fewOrCount(overdue, (count) => t(texts.announcedOverdue, count)),
      ];
      if (sentences.length > 0) setAnnouncement({ at: Date.now(), text: sentences.join('. ') });
    }

    const stop = store.changes.add(({ cause, numero, before, now }) => {
      if (!before || !now || collected.has(numero)) return;
      // What the server told all along is no news when the panel begins to show it.
      const isNews = cause === 'tick' || (cause !== 'configured' && now.status.condition === 'restricted');
      if (!isNews && now.session.state === before.session.state) return;
      collected.set(numero, before);
      announcing.add();
    });
    return () => {
      stop();
      announcing.cancel();
    };
  }, [store]);

  return (
    <p className="visually-hidden" role="status">
      {/* A new element each time: a text that does not change would not be announced. */}
      <span key={at}>{text}</span>
    </p>
  );
}

function fewOrCount(sentences: string[], many: (count: number) => string): string[] {
  return sentences.length > MOST_NAMED ? [many(sentences.length)] : sentences;
}
