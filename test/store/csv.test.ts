import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { csv, list } from '../../src/list/export.ts';

/** Reads a CSV file as RFC 4180 has it. */
function read(file: string): string[][] {
  const rows: string[][] = [];
  for (const [, quoted, plain = '', end] of file.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    const row = rows.at(-1);
    const cell = quoted?.replaceAll('""', '"') ?? plain;
    if (row) row.push(cell);
    else rows.push([cell]);
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

describe('a CSV file', () => {
  it('gives back what was put in, whatever that is', () => {
    const rows = [
      ['Número', 'Nombre'],
      ['5215550001111', 'Ventas, norte'],
      ['', '“La Ñ” "entre" comillas'],
      ['dos\r\nlíneas', 'una; dos'],
      ['"', '""'],
    ];
    const file = csv(rows);
    assert.deepEqual(read(file.slice(1)), rows);
  });

  it('begins with the mark of UTF-8, and every row ends with CR and LF', () => {
    assert.equal(csv([['a', 'b'], ['c']]), '\uFEFF"a","b"\r\n"c"\r\n');
  });

  for (const formula of [
    '=1+1',
    '+5215550001111',
    '-2',
    '@SUM(A1)',
    '\tx',
    '\rx',
    '\nx',
    '=HYPERLINK("x")',
  ]) {
    it(`${JSON.stringify(formula)} is no formula in it`, () => {
      assert.deepEqual(read(csv([[formula]]).slice(1)), [[`'${formula}`]]);
    });
  }

  for (const formula of ['＝1+1', '＋1', '－1', '＠SUM(A1)']) {
    it(`${formula}, in full width as in Chinese or Japanese, is no formula in it`, () => {
      assert.deepEqual(read(csv([[formula]]).slice(1)), [[`'${formula}`]]);
    });
  }

  const begins: readonly [text: string, cell: string][] = [
    ['\t=1', "'\t'=1"],
    ['\r\n=1', "'\r\n'=1"],
    ['uno\n=1', "uno\n'=1"],
    ['uno;=1;-2', "uno;'=1;'-2"],
    ['uno; "=1"', `uno; "'=1"`],
    ['uno;＠x', "uno;'＠x"],
  ];
  for (const [text, cell] of begins) {
    it(`has no formula after what may separate cells or rows: ${JSON.stringify(text)}`, () =>
      assert.deepEqual(read(csv([[text]]).slice(1)), [[cell]]));
  }

  it('has no formula either where the separator is a semicolon, as in Spain and Argentina', () => {
    const [line = ''] = csv([['5215550001111', 'a;=1+1;b', '']])
      .slice(1)
      .split('\r\n');
    // There, quotes count only at the beginning of what is between semicolons.
    assert.doesNotMatch(line, /;["\s]*[=+\-@]/);
  });

  it('leaves cells alone that only contain such signs', () => {
    const row = ['5215550001111', "'=1", 'a=b', '1-2', ' @', 'a, -b', 'una; dos', ''];
    assert.deepEqual(read(csv([row]).slice(1)), [row]);
  });
});

describe('a list to paste', () => {
  it('has a line for each row, whatever is in it, and no formula', () => {
    const rows = [
      ['Ventas\tnorte', '1', 'https://server.example/l/#1'],
      ['=1+1\n', '2', ''],
    ];
    assert.equal(list(rows), "Ventas norte\t1\thttps://server.example/l/#1\n'=1+1 \t2\t");
  });
});
