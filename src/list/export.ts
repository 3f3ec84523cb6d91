import type { SessionRecord } from '../session/record.ts';
import * as texts from '../texts.ts';
import { download } from '../ui/download.ts';

/** Milliseconds after which the browser has read what it downloads. */
const READ_MS = 1000;

/**
 * Where a spreadsheet may read what follows as a formula: before = + - @, or the same in full width, at the beginning of a
 * cell. A cell also begins after a semicolon, a tab or a line break, where these separate; spaces and quotes do not count.
 */
const FORMULA = /^(?=[\t\r\n])|(?<=^|[;\t\r\n]["\s]*)(?=[=+\-@＝＋－＠])/g;

/** Downloads the sessions as a CSV file with today's date in its name. */
export function exportSessions(records: readonly SessionRecord[]): void {
  const url = URL.createObjectURL(new Blob([fileOf(records)], { type: 'text/csv' }));
  download(url, texts.exportName(localTime(Date.now()).slice(0, 10)));
  setTimeout(() => URL.revokeObjectURL(url), READ_MS);
}

/** A CSV file with the names of the sessions, their state, since when they have it, and why. */
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

/**
 * Rows of cells as a CSV file (RFC 4180), with the byte order mark without which Excel does not read it as UTF-8. An
 * apostrophe keeps cells from being formulas: anybody may have written them.
 */
export function csv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

function cell(text: string): string {
  return `"${text.replace(FORMULA, "'").replaceAll('"', '""')}"`;
}

/** Such as '2026-05-03 14:32:05', which spreadsheets of every language read as a date. */
function localTime(moment: number): string {
  return new Date(moment).toLocaleString('sv');
}
