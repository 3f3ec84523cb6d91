const TIME = new Intl.DateTimeFormat('es', { hour: '2-digit', minute: '2-digit' });
const TIME_WITH_SECONDS = new Intl.DateTimeFormat('es', { timeStyle: 'medium' });

const DATE_AND_TIME = new Intl.DateTimeFormat('es', { dateStyle: 'medium', timeStyle: 'medium' });

/** Hour and minute, such as '14:32'. */
export const time = (moment: number): string => TIME.format(moment);

/** With seconds, such as '14:32:05'. */
export const exactTime = (moment: number): string => TIME_WITH_SECONDS.format(moment);

/** With the date, such as '3 may 2026, 14:32:05'. */
export const dateAndTime = (moment: number): string => DATE_AND_TIME.format(moment);

export const isToday = (moment: number): boolean =>
  new Date(moment).toDateString() === new Date(Date.now()).toDateString();
