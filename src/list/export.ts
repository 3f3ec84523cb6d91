import type { SessionRecord } from '../session/record.ts';
import type { Store } from '../store/store.ts';
import * as texts from '../texts/sentences.ts';
import type { Translate } from '../texts/translate.ts';
import { minutesIn } from '../ui/time.ts';

/**
 * Where a spreadsheet may read a formula: before = + - @, or their full-width forms, at the beginning of a cell. Some
 * spreadsheets begin a cell after a semicolon, a tab or a line break, and skip spaces and quotes.
 */
const FORMULA = /^(?=[\t\r\n])|(?<=^|[;\t\r\n]["\s]*)(?=[=+\-@＝＋－＠])/g;

/** Milliseconds after which the browser has read the file. */
const READ_MS = 1000;

/** Downloads the sessions as a CSV file with today's date in its name. */
export function exportSessions({ t, get }: Store, numeros: readonly string[]): void {
  const records = numeros.flatMap((numero) => get(numero) ?? []);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([fileOf(t, records)], { type: 'text/csv' }));
  link.download = t(texts.exportName, localTime(Date.now()).slice(0, 10));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_MS);
}

export function fileOf(t: Translate, records: readonly SessionRecord[]): string {
  return csv([
    texts.exportColumns.map((column) => t(column)),
    ...records.map(({ session, details }) => {
      const { label, name, group, since, reason, stability } = details;
      return [
        session.numero,
        label,
        name,
        group,
        session.state,
        since && localTime(since),
        reason?.text,
        stability?.drops,
        stability && minutesIn(stability.away),
      ];
    }),
  ]);
}

/**
 * Rows of cells as a CSV file (RFC 4180). Excel reads it as UTF-8 only with a byte order mark. An apostrophe keeps cells
 * from being formulas: anybody may have written them.
 */
export function csv(rows: readonly (readonly (string | number | undefined)[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

/** Rows of cells as a list to paste into a message or a spreadsheet. */
export function list(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map((text) => inert(text.replace(/\s+/g, ' '))).join('\t')).join('\n');
}

const cell = (value: string | number = '') => `"${inert(String(value)).replaceAll('"', '""')}"`;

const inert = (text: string) => text.replace(FORMULA, "'");

/** Such as '2026-05-03 14:32:05', which spreadsheets of every language read as a date. */
function localTime(moment: number): string {
  return new Date(moment).toLocaleString('sv');
}
