import type { SessionRecord } from '../session/session-map.ts';
import * as texts from '../texts.ts';
import { csv } from './csv.ts';

/** Milliseconds until the browser has surely read what it downloads. */
const READ_MS = 1000;

/** A CSV file with what the sessions are called, how they are, since when, and why. */
export function fileOf(records: readonly SessionRecord[]): string {
  return csv([
    texts.exportColumns,
    ...records.map(({ session, details: { label, name, group, since, reason } }) => [
      session.numero,
      label ?? '',
      name ?? '',
      group ?? '',
      session.state,
      since === undefined ? '' : localTime(since),
      reason?.text ?? '',
    ]),
  ]);
}

/** Downloads the sessions as a CSV file with today's date in its name. */
export function exportSessions(records: readonly SessionRecord[]): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([fileOf(records)], { type: 'text/csv' }));
  link.download = texts.exportName(localTime(Date.now()).slice(0, 10));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_MS);
}

/** Such as '2026-05-03 14:32:05', which spreadsheets of every language take for a date. */
function localTime(moment: number): string {
  return new Date(moment).toLocaleString('sv');
}
