import { useEffect, useState } from 'react';
import { explain } from '../card/advice.tsx';
import { usePanel } from '../panel-context.ts';
import type { SessionRecord } from '../session/record.ts';
import { hasDropped } from '../session/session-map.ts';
import * as texts from '../texts.ts';
import { alertDropped } from './alerts.tsx';

/** Milliseconds for which changes are collected into one announcement, and how many of them are named. */
const BATCH_MS = 1000;
const MOST_NAMED = 3;

interface StateChange {
  readonly before: string;
  readonly now: string;
  readonly dropped: boolean;
}

/**
 * Tells screen readers, politely, which sessions changed their state, dropped, or have been waiting for too long. Each
 * change is told once, and none that was taken back meanwhile; many are told as a number. Drops cause the page's alerts too.
 */
export function Announcer({ alerts }: { alerts: string }) {
  const { store } = usePanel();
  const [{ id, text }, setAnnouncement] = useState({ id: 0, text: '' });

  useEffect(() => {
    const changed = new Map<string, StateChange>();
    const overdue = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const announce = () => {
      timer = undefined;
      const changes = [...changed].filter(([, { before, now }]) => now !== '' && now !== before);
      const advice = [...overdue].flatMap((numero) => adviceOn(store.get(numero)) ?? []);
      changed.clear();
      overdue.clear();
      const all = [tellChanges(changes), tellOverdue(advice)]
        .filter((sentence) => sentence !== '')
        .join('. ');
      if (changes.some(([, { dropped }]) => dropped)) alertDropped(store, alerts);
      if (all !== '') setAnnouncement((last) => ({ id: last.id + 1, text: all }));
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
  }, [store, alerts]);

  return (
    <p className="visually-hidden" role="status">
      {/* A new element each time: a text that does not change would not be announced. */}
      <span key={id}>{text}</span>
    </p>
  );
}

/** Whether time has made it need a person, or need one for something else. */
function isNewlyOverdue({ status: before }: SessionRecord, { status: now }: SessionRecord): boolean {
  return now.asks === 'act' && (before.asks !== 'act' || before.condition !== now.condition);
}

function tellChanges(changes: [numero: string, StateChange][]): string {
  if (changes.length > MOST_NAMED) {
    return texts.announcements(changes.length, changes.filter(([, { dropped }]) => dropped).length);
  }
  return changes.map(([numero, { now, dropped }]) => texts.announcement(numero, now, dropped)).join('. ');
}

function tellOverdue(advice: string[]): string {
  return advice.length > MOST_NAMED ? texts.announcedOverdue(advice.length) : advice.join('. ');
}

/** Why a person has to look after a session; undefined where nobody has to any more. */
function adviceOn(record: SessionRecord | undefined): string | undefined {
  if (record?.status.asks !== 'act') return undefined;
  const { session, status } = record;
  return texts.announcement(session.numero, explain(session, status) ?? session.state, false);
}
