/** Moments and durations as texts. */
import * as texts from './sentences.ts';
import { byLanguage, type Translate } from './translate.ts';

function formatter(options: Intl.DateTimeFormatOptions): (t: Translate, moment: number) => string {
  const formatIn = byLanguage((language) => new Intl.DateTimeFormat(language, options));
  return (t, moment) => formatIn(t).format(moment);
}

/** The styles of Intl have hours of one digit. */
const TIME = { hour: '2-digit', minute: '2-digit' } as const;
const EXACT_TIME = { ...TIME, second: '2-digit' } as const;
const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const;

/** Such as '04:32'. */
export const time = formatter(TIME);
/** Such as '04:32:05'. */
export const exactTime = formatter(EXACT_TIME);
/** Such as '3 may 2026, 04:32'. */
export const dateAndTime = formatter({ ...DATE, ...TIME });
/** Such as '3 may 2026, 04:32:05'. */
export const exactDateAndTime = formatter({ ...DATE, ...EXACT_TIME });

const date = formatter({ dateStyle: 'full' });
const relative = byLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));

/** The day of a moment: 'hoy', 'ayer', or such as 'domingo, 3 de mayo de 2026'. */
export function dayOf(t: Translate, moment: number): string {
  const days = daysSince(moment);
  return days === 0 || days === 1 ? relative(t).format(-days, 'day') : date(t, moment);
}

/** How long ago a moment was, in its largest whole unit, such as 'hace 3 min'. Under a minute it is 'ahora'. */
export function ago(t: Translate, moment: number, now: number): string {
  const minutes = Math.floor((now - moment) / 60_000);
  if (minutes < 1) return t(texts.justNow);
  if (minutes < 60) return t(texts.minutesAgo, minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? t(texts.hoursAgo, hours) : t(texts.daysAgo, Math.floor(hours / 24));
}

const midnight = (moment: number) => new Date(moment).setHours(0, 0, 0, 0);

/** Rounded: a day may have 23 hours. */
const daysSince = (moment: number) => Math.round((midnight(Date.now()) - midnight(moment)) / 86_400_000);

export const isToday = (moment: number): boolean => daysSince(moment) === 0;

/** Whole seconds until a moment that have begun; 0 once it is over. */
export const secondsUntil = (until: number, now: number): number =>
  Math.max(0, Math.ceil((until - now) / 1000));

/** Minutes and seconds, such as '1:05'. */
export const inMinutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
