import { createCode } from '../../../gateway/src/engines/simulated/codes.ts';
import type { Push } from '../../../gateway/src/sessions/transitions.ts';
import { STATES } from '../../../src/wire.ts';
import { inTurn, type Setting } from '../comparison.ts';
import type { Row } from '../row.ts';
import { median, percentile } from '../statistics.ts';

const PER_SECOND = 500;
const SESSIONS = 1000;
const KEY_EVERY_MS = 90;

/** Pushes to all sessions in turn, while somebody types in a card that gets them too. */
export async function storm({ bench, gateways, rounds, quick }: Setting): Promise<Row[]> {
  const gateway = await gateways.start({ count: SESSIONS, all: 'mixed' });
  const { pushes, words } = stormOver(gateway.numeros, quick ? 4 : 10);
  const storms = await inTurn(rounds, (page) =>
    bench.visit(gateway.url, page, async (visit) => {
      await visit.settled();
      await visit.page.evaluate(() => {
        globalThis.bench.collectKeys();
        globalThis.bench.focus('article input');
      });
      const watched = visit.page.evaluate(
        (total, last) => globalThis.bench.storm(total, last),
        pushes.length,
        words,
      );
      await visit.page.evaluate(() => globalThis.bench.framePassed());
      const typing = visit.typing('abcdefgh', KEY_EVERY_MS);
      const lastAt = await gateway.push(pushes, PER_SECOND);
      await typing.stop();
      const report = await watched;
      const keys = await visit.page.evaluate(() => globalThis.bench.collectedKeys());
      return {
        ...report,
        lost: report.lost + pushes.length - report.received,
        settling: report.settledAt - lastAt,
        keys,
      };
    }),
  );
  const row = (
    what: string,
    unit: Row['unit'],
    value: (page: typeof storms.floor) => number,
    goal: Row['goal'],
  ): Row => ({ what: `storm: ${what}`, unit, floor: value(storms.floor), panel: value(storms.panel), goal });
  return [
    row('frames shown', 'fps', (page) => median(page.map(({ framesPerSecond }) => framesPerSecond)), {
      of: 'ratio',
      at: 'least',
      limit: 0.95,
    }),
    row('longest task', 'ms', (page) => median(page.map(({ longestTask }) => longestTask)), {
      of: 'value',
      at: 'most',
      limit: 200,
    }),
    row(
      'last push to the last word of every session',
      'ms',
      (page) => median(page.map(({ settling }) => settling)),
      {
        of: 'value',
        at: 'most',
        limit: 250,
      },
    ),
    row('pushes or last words lost', '', (page) => Math.max(...page.map(({ lost }) => lost)), {
      of: 'value',
      at: 'most',
      limit: 0,
    }),
    row(
      'keystroke to paint in a card, p95',
      'ms',
      (page) =>
        percentile(
          page.flatMap(({ keys }) => keys),
          0.95,
        ),
      {
        of: 'value',
        at: 'most',
        limit: 250,
      },
    ),
  ];
}

/** Seven in eight pushes are states; and the last one of every session is a word that it has not shown just before. */
function stormOver(numeros: readonly string[], seconds: number) {
  const pushes: Push[] = [];
  const words: Record<string, string> = {};
  const rounds = (seconds * PER_SECOND) / numeros.length;
  const states = ['OPENING', 'CONFLICT', 'TIMEOUT', 'PAIRING'];
  for (let round = 0; round < rounds; round += 1) {
    numeros.forEach((numero, index) => {
      const isLast = round === rounds - 1;
      const state = isLast ? STATES.connected : (states[(round + index) % states.length] ?? '');
      if (!isLast && index % 8 === 1) pushes.push({ event: 'qr', numero, code: createCode() });
      else if (isLast) pushes.push({ event: 'ready', numero });
      else pushes.push({ event: 'change_state', numero, state });
      words[numero] = state;
    });
  }
  return { pushes, words };
}
