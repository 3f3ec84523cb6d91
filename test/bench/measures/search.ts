import { inTurn, type Setting } from '../comparison.ts';
import type { Row } from '../row.ts';
import { median, percentile } from '../statistics.ts';

/** From a key pressed in the search field to the cards that it leaves, of 5,000; then backwards, until all are there again. */
export async function search({ bench, gateways, rounds, quick }: Setting): Promise<Row[]> {
  const { url, numeros } = await gateways.start({ count: 5000, all: 'connected' });
  const query = numeros[Math.floor(numeros.length / 2)]?.slice(-4) ?? '';
  const steps = [...query].map((key, index) => ({ key, text: query.slice(0, index + 1) }));
  const back = steps.map((_, index) => ({
    key: 'Backspace',
    text: query.slice(0, query.length - index - 1),
  }));
  const times = await inTurn(quick ? 1 : rounds, (page) =>
    bench.visit(url, page, async (visit) => {
      await visit.settled();
      await visit.page.evaluate(() => globalThis.bench.focus('search input'));
      const measured: number[] = [];
      for (const { key, text } of [...steps, ...back]) {
        const count = numeros.filter((numero) => numero.includes(text)).length;
        const shown = visit.page.evaluate((expected) => globalThis.bench.keyShows(expected), count);
        await visit.page.evaluate(() => globalThis.bench.framePassed());
        await visit.press(key);
        measured.push(await shown);
      }
      return measured;
    }),
  );
  const goal = { of: 'ratio', at: 'most', limit: 1.5 } as const;
  const what = 'search in 5,000 sessions, keystroke to result';
  return [
    {
      what: `${what}, median`,
      unit: 'ms',
      floor: median(times.floor.flat()),
      panel: median(times.panel.flat()),
      goal,
    },
    {
      what: `${what}, slowest`,
      unit: 'ms',
      floor: median(times.floor.map((values) => percentile(values, 1))),
      panel: median(times.panel.map((values) => percentile(values, 1))),
      goal,
    },
  ];
}
