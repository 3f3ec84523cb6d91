import { useEffect, useState } from 'react';
import { explain } from '../card/explain.ts';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';

/** Milliseconds in which changes are gathered into one announcement, and how many of them are told one by one. */
const GATHERING_MS = 1000;
const MOST_NAMED = 3;

interface Change {
  readonly before: string;
  readonly now: string;
  readonly dropped: boolean;
}

/**
 * Tells screen readers, politely, which sessions changed their state, fell, or have been waiting for too long. Each
 * change is told once, and none that was taken back meanwhile; a storm of them is told as a number.
 */
export function Announcer({ store }: { store: Store }) {
  const [{ id, text }, setAnnouncement] = useState({ id: 0, text: '' });

  useEffect(() => {
    const changed = new Map<string, Change>();
    const overdue = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const announce = () => {
      timer = undefined;
      const changes = [...changed].filter(([, { before, now }]) => now !== '' && now !== before);
      const reasons = [...overdue].flatMap((numero) => reasonOf(store, numero) ?? []);
      changed.clear();
      overdue.clear();
      const all = [tellChanges(changes), tellOverdue(reasons)].filter((told) => told !== '').join('. ');
      if (all !== '') setAnnouncement((last) => ({ id: last.id + 1, text: all }));
    };
    const gather = () => {
      timer ??= setTimeout(announce, GATHERING_MS);
    };
    const stopChanges = store.events.add(({ name, detail }) => {
      if (name !== 'wo-session-change' || detail.previousState === undefined) return;
      const { numero, state: now = '', previousState, dropped } = detail;
      const earlier = changed.get(numero);
      changed.set(numero, {
        before: earlier?.before ?? previousState,
        now,
        dropped: dropped || !!earlier?.dropped,
      });
      gather();
    });
    const stopOverdue = store.overdue.add((numero) => {
      overdue.add(numero);
      gather();
    });
    return () => {
      stopChanges();
      stopOverdue();
      clearTimeout(timer);
    };
  }, [store]);

  return (
    <p className="visually-hidden" role="status">
      {/* A new element each time: a text that stays as it is would not be told again. */}
      <span key={id}>{text}</span>
    </p>
  );
}

function tellChanges(changes: [numero: string, Change][]): string {
  if (changes.length > MOST_NAMED) {
    return texts.announcements(changes.length, changes.filter(([, { dropped }]) => dropped).length);
  }
  return changes.map(([numero, { now, dropped }]) => texts.announcement(numero, now, dropped)).join('. ');
}

function tellOverdue(reasons: string[]): string {
  return reasons.length > MOST_NAMED ? texts.announcedOverdue(reasons.length) : reasons.join('. ');
}

/** Why a person has to look after it, unless it got better meanwhile. */
function reasonOf(store: Store, numero: string): string | undefined {
  const session = store.session(numero);
  const situation = store.situation(numero);
  if (!session || situation?.asks !== 'act') return undefined;
  return texts.announcement(numero, explain(session, situation) ?? session.state, false);
}
