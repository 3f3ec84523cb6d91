/** Moments and durations as texts, and those that change while they are shown. */
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { seconds } from '../session/clock.ts';
import { ANSWER_DUE_MS, elapsed } from '../session/states.ts';
import * as texts from '../texts/sentences.ts';
import { byLanguage, type Translate } from '../texts/translate.ts';

function formatter(options: Intl.DateTimeFormatOptions): (t: Translate, moment: number) => string {
  const formatIn = byLanguage((language) => new Intl.DateTimeFormat(language, options));
  return (t, moment) => formatIn(t).format(moment);
}

/** Hour and minute, such as '14:32'. */
export const time = formatter({ hour: '2-digit', minute: '2-digit' });

/** With seconds, such as '14:32:05'. */
export const exactTime = formatter({ hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** With the date, such as '3 may 2026, 14:32'. */
export const dateAndTime = formatter({ dateStyle: 'medium', timeStyle: 'short' });

/** With the date and seconds, such as '3 may 2026, 14:32:05'. */
export const exactDateAndTime = formatter({ dateStyle: 'medium', timeStyle: 'medium' });

/** Whole minutes that have begun. */
export const minutesIn = (ms: number): number => Math.ceil(ms / 60_000);

/** How long ago a moment was, in its largest whole unit, such as 'hace 3 min'. Under a minute it is 'ahora'. */
export function ago(t: Translate, moment: number, now: number): string {
  const minutes = Math.floor((now - moment) / 60_000);
  if (minutes < 1) return t(texts.justNow);
  if (minutes < 60) return t(texts.minutesAgo, minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? t(texts.hoursAgo, hours) : t(texts.daysAgo, Math.floor(hours / 24));
}

export const isToday = (moment: number): boolean =>
  new Date(moment).toDateString() === new Date(Date.now()).toDateString();

/** Whole seconds until a moment that have begun; 0 once it is over. */
export const secondsUntil = (until: number, now: number): number =>
  Math.max(0, Math.ceil((until - now) / 1000));

/** Minutes and seconds, such as '1:05'. */
export const inMinutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/**
 * Whether that many milliseconds have passed, by default as many as an answer may take, since a moment in milliseconds since
 * 1970, by default since this component came on the screen.
 */
export function useLate(dueMs = ANSWER_DUE_MS, from = Date.now()): boolean {
  const [since] = useState(from);
  return useSyncExternalStore(seconds, () => elapsed(since, Date.now()) >= dueMs);
}

/** Shows its children once it has been on the screen for that many milliseconds, by default when an answer is late. */
export function Late({ dueMs, children }: { dueMs?: number; children: ReactNode }) {
  return useLate(dueMs) && children;
}

/** Whole seconds until a moment, in milliseconds since 1970; 0 once it is over. */
export function useSecondsLeft(until: number): number {
  return useSyncExternalStore(seconds, () => secondsUntil(until, Date.now()));
}
