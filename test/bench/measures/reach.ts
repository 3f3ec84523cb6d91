import { readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import type { Page } from 'puppeteer-core';
import { createCode } from '../../../gateway/src/engines/simulated/codes.ts';
import type { Bench, Visit } from '../browser.ts';
import type { Setting } from '../comparison.ts';
import type { Row } from '../row.ts';
import type { Gateway } from '../server/gateways.ts';

/** Milliseconds after an event until what is collected first has been counted, sorted and announced. */
const AFTERMATH_MS = 2500;

/** Milliseconds until what came before is over: a notice closes after five seconds. */
const BEFORE_MS = 7000;

const START = '>>> [part~=start-button]';

interface Event {
  readonly what: string;
  readonly limit: number;
  /** What comes before it, and is not counted. */
  readonly before: (visit: Visit) => Promise<unknown>;
  /** Causes it. */
  readonly cause: (visit: Visit, gateway: Gateway) => Promise<unknown>;
}

const EVENTS: readonly Event[] = [
  {
    what: 'a code',
    limit: 30,
    before: ({ page }) => page.click(START),
    async cause({ page }, { push, numeros: [numero = ''] }) {
      const painted = page.evaluate(() => globalThis.bench.pushPainted('code'));
      await push([{ event: 'qr', numero, code: createCode() }]);
      await painted;
    },
  },
  {
    what: 'Levantar Sesión',
    limit: 35,
    // A click scrolls, which brings other cards near the screen.
    before: ({ page }) => page.hover(START),
    cause: ({ page }) => page.click(START),
  },
  {
    what: 'Enviar Mensaje',
    limit: 40,
    before: ({ page }) => type(page, '5215550001111'),
    cause: ({ page }) => page.keyboard.press('Enter'),
  },
  {
    what: 'a word of the footer',
    limit: 8,
    before: async () => {},
    cause: ({ page }) =>
      page.evaluate(() => document.querySelector('whatsapp-operadores')?.setAttribute('provider', 'Otra')),
  },
];

async function type(page: Page, number: string): Promise<void> {
  for (const field of ['text', 'to']) await page.type(`>>> article input[id$=${field}]`, number);
}

/**
 * How many files of the panel an event runs through, from its cause to the screen, by V8's coverage of the built script: what
 * somebody may have to read to understand it.
 */
export async function reach({ bench, gateways }: Setting): Promise<Row[]> {
  const sourceOf = await readMap();
  const rows: Row[] = [];
  for (const event of EVENTS) {
    const gateway = await gateways.start({ count: 20, all: 'connected' });
    const files = await reached(bench, gateway, event, sourceOf);
    rows.push({
      what: `files that ${event.what} runs through`,
      unit: '',
      panel: Object.keys(files).length,
      goal: { of: 'value', at: 'most', limit: event.limit },
      parts: files,
    });
  }
  return rows;
}

/** The files of the panel with functions that an event has called, and how many each has. */
async function reached(
  bench: Bench,
  gateway: Gateway,
  { before, cause }: Event,
  sourceOf: (offset: number) => string | undefined,
): Promise<Record<string, number>> {
  return bench.visit(
    gateway.url,
    'panel',
    async (visit) => {
      const { devtools } = visit;
      await visit.settled();
      await before(visit);
      await new Promise((resolve) => setTimeout(resolve, BEFORE_MS));
      await devtools.send('Profiler.enable');
      await devtools.send('Profiler.startPreciseCoverage', { callCount: true });
      await cause(visit, gateway);
      await new Promise((resolve) => setTimeout(resolve, AFTERMATH_MS));
      const { result } = await devtools.send('Profiler.takePreciseCoverage');
      const files: Record<string, number> = {};
      for (const { functions } of result.filter((script) => script.url.endsWith('/panel.js')))
        for (const { ranges } of functions) {
          const [{ count, startOffset } = { count: 0, startOffset: 0 }] = ranges;
          const file = count > 0 && sourceOf(startOffset);
          if (file) files[file] = (files[file] ?? 0) + 1;
        }
      return files;
    },
    { slowdown: 1 },
  );
}

/** Returns the function that names the file of `src` in which an offset of the built script is. */
async function readMap(): Promise<(offset: number) => string | undefined> {
  const script = new URL('../../../dist/whatsapp-operadores.js', import.meta.url);
  const map = new SourceMap(JSON.parse(await readFile(`${script.pathname}.map`, 'utf8')));
  const text = await readFile(script, 'utf8');
  return (offset) => {
    const before = text.slice(0, offset).split('\n');
    const entry = map.findEntry(before.length - 1, before.at(-1)?.length ?? 0);
    const [, file] = ('originalSource' in entry && entry.originalSource.match(/^(?:\.\.\/)+src\/(.*)/)) || [];
    return file;
  };
}
