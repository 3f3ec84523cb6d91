/**
 * Where a spreadsheet may take what follows for a formula: before = + - @, or the same in full width, where a cell begins.
 * One also begins after a semicolon, a tab or the end of a line, where these separate; spaces and quotes do not count.
 */
const FORMULA = /^(?=[\t\r\n])|(?<=^|[;\t\r\n]["\s]*)(?=[=+\-@＝＋－＠])/g;

/**
 * Rows of cells as a CSV file (RFC 4180), with the mark without which Excel does not read it as UTF-8. An apostrophe
 * keeps cells from being formulas: anybody may have written them.
 */
export function csv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

function cell(text: string): string {
  return `"${text.replace(FORMULA, "'").replaceAll('"', '""')}"`;
}
