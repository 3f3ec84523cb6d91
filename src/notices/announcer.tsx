import { useEffect, useEffectEvent, useState } from 'react';
import { explain } from '../card/advice.tsx';
import { usePanel } from '../context/panel-context.ts';
import type { SessionRecord } from '../session/record.ts';
import { hasDropped } from '../session/session-map.ts';
import * as texts from '../texts.ts';
import { alertDropped } from './alerts.tsx';

/** Milliseconds for which changes are collected into one announcement. */
const BATCH_MS = 1000;
/** How many changes an announcement names. */
const MOST_NAMED = 3;

interface StateChange {
  readonly before: string;
  readonly now: string;
  readonly dropped: boolean;
}

/**
 * Announces to screen readers, politely, which sessions changed their state, dropped, or have been waiting for too long.
 * A change is announced once, and not if it was undone meanwhile; many are announced as a number. Drops also trigger the
 * page's alerts.
 */
export function Announcer({ alerts }: { alerts: string }) {
  const { store } = usePanel();
  const [{ id, text }, setAnnouncement] = useState({ id: 0, text: '' });

  // An effect event: a change of `alerts` must not discard the collected changes.
  const alertNow = useEffectEvent(() => alertDropped(store, alerts));

  useEffect(() => {
    const changed = new Map<string, StateChange>();
    const overdue = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const announce = () => {
      timer = undefined;
      const changes = [...changed].filter(([, { before, now }]) => now !== '' && now !== before);
      const drops = changes.filter(([, { dropped }]) => dropped).length;
      const told = changes.map(([numero, { now, dropped }]) => texts.announcement(numero, now, dropped));
      const advice = [...overdue].flatMap((numero) => adviceOn(store.get(numero)) ?? []);
      changed.clear();
      overdue.clear();
      const sentences = [
        ...fewOrCount(told, (count) => texts.announcements(count, drops)),
        ...fewOrCount(advice, texts.announcedOverdue),
      ];
      if (drops > 0) alertNow();
      if (sentences.length > 0) setAnnouncement((last) => ({ id: last.id + 1, text: sentences.join('. ') }));
    };
    const stop = store.changes.add((change) => {
      const { cause, numero, before, now } = change;
      if (!before) return;
      const state = now?.session.state ?? '';
      if (state !== before.session.state) {
        const earlier = changed.get(numero);
        changed.set(numero, {
          before: earlier?.before ?? before.session.state,
          now: state,
          dropped: hasDropped(change) || !!earlier?.dropped,
        });
      } else if (now && cause === 'tick' && isNewlyOverdue(before, now)) overdue.add(numero);
      else return;
      timer ??= setTimeout(announce, BATCH_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [store]);

  return (
    <p className="visually-hidden" role="status">
      {/* A new element each time: a text that does not change would not be announced. */}
      <span key={id}>{text}</span>
    </p>
  );
}

/** Whether the passing of time alone is why a session needs a person, or needs one for another reason. */
function isNewlyOverdue({ status: before }: SessionRecord, { status: now }: SessionRecord): boolean {
  return now.asks === 'act' && (before.asks !== 'act' || before.condition !== now.condition);
}

/** Replaces many sentences by one with their number. */
function fewOrCount(sentences: string[], many: (count: number) => string): string[] {
  return sentences.length > MOST_NAMED ? [many(sentences.length)] : sentences;
}

/** Why a person has to look after a session; undefined where nobody has to any more. */
function adviceOn(record: SessionRecord | undefined): string | undefined {
  if (record?.status.asks !== 'act') return undefined;
  const { session, status } = record;
  return texts.announcement(session.numero, explain(session, status) ?? session.state, false);
}
