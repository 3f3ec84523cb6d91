import type { SessionRecord } from '../session/record.ts';
import * as texts from '../texts.ts';
import { download } from '../ui/download.ts';
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
  const url = URL.createObjectURL(new Blob([fileOf(records)], { type: 'text/csv' }));
  download(url, texts.exportName(localTime(Date.now()).slice(0, 10)));
  setTimeout(() => URL.revokeObjectURL(url), READ_MS);
}

/** Such as '2026-05-03 14:32:05', which spreadsheets of every language take for a date. */
function localTime(moment: number): string {
  return new Date(moment).toLocaleString('sv');
}
