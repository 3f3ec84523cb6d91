import { readFile } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { Row } from '../row.ts';

const SCRIPT = new URL('../../../dist/whatsapp-operadores.js', import.meta.url);
const OWN = 'own code and styles';

/** What a page loads, by gzip as servers do it unless told otherwise, and which package it comes from. 1 kB is 1000 bytes. */
export async function size(): Promise<Row[]> {
  const script = await readFile(SCRIPT, 'utf8');
  const payload: SourceMapPayload = JSON.parse(await readFile(`${SCRIPT.pathname}.map`, 'utf8'));
  const total = gzipped(script);
  const byPackage = splitByPackage(script, new SourceMap(payload));
  const alone = new Map([...byPackage].map(([name, text]) => [name, gzipped(text)]));
  // Apart they are larger than together: each is counted by its share.
  const sum = [...alone.values()].reduce((one, other) => one + other, 0);
  const parts = [...alone]
    .sort(([, one], [, other]) => other - one)
    .map(([name, kB]) => [name, (kB / sum) * total]);
  return [
    {
      what: 'standalone script, gzip',
      unit: 'kB',
      panel: total,
      goal: { of: 'value', at: 'most', limit: 122 },
      parts: Object.fromEntries(parts),
    },
  ];
}

function gzipped(text: string): number {
  return gzipSync(text, { level: 6 }).length / 1000;
}

/** The script's text, piece by piece, with that which comes from the same package. */
function splitByPackage(script: string, map: SourceMap): Map<string, string> {
  const texts = new Map<string, string>();
  script.split('\n').forEach((line, index) => {
    let last = '';
    for (let column = 0; column < line.length; ) {
      const entry = map.findEntry(index, column);
      const source = 'originalSource' in entry ? entry.originalSource : undefined;
      last = source === undefined ? last || OWN : packageOf(source);
      const end = column + 1;
      texts.set(last, (texts.get(last) ?? '') + line.slice(column, end));
      column = end;
    }
  });
  return texts;
}

function packageOf(source: string): string {
  const [, path] = source.match(/.*node_modules\/(.*)/) ?? [];
  if (path === undefined) return OWN;
  const [first = '', second = ''] = path.split('/');
  const name = first.startsWith('@') ? `${first}/${second}` : first;
  return /^(socket\.io|engine\.io|@socket\.io)/.test(name) ? 'socket.io-client and its parts' : name;
}
