import * as texts from '../texts.ts';

const TIME = new Intl.DateTimeFormat('es', { hour: '2-digit', minute: '2-digit' });
const TIME_WITH_SECONDS = new Intl.DateTimeFormat('es', { timeStyle: 'medium' });

const DATE_AND_TIME = new Intl.DateTimeFormat('es', { dateStyle: 'medium', timeStyle: 'medium' });

/** Hour and minute, such as '14:32'. */
export const time = (moment: number): string => TIME.format(moment);

/** With seconds, such as '14:32:05'. */
export const exactTime = (moment: number): string => TIME_WITH_SECONDS.format(moment);

/** With the date, such as '3 may 2026, 14:32:05'. */
export const dateAndTime = (moment: number): string => DATE_AND_TIME.format(moment);

const RELATIVE = new Intl.RelativeTimeFormat('es', { style: 'short' });

/** How long ago a moment was, in its largest whole unit, such as 'hace 3 min'. Under a minute it is 'ahora'. */
export function ago(moment: number, now: number): string {
  const minutes = Math.floor((now - moment) / 60_000);
  if (minutes < 1) return texts.now;
  if (minutes < 60) return RELATIVE.format(-minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? RELATIVE.format(-hours, 'hour') : RELATIVE.format(-Math.floor(hours / 24), 'day');
}

export const isToday = (moment: number): boolean =>
  new Date(moment).toDateString() === new Date(Date.now()).toDateString();
