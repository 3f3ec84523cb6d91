import { Bench } from '../../../../test/bench/browser.ts';
import type { Row } from './scene.ts';
import { SITUATIONS } from './situations.ts';

export interface TrafficResult {
  readonly sessions: number;
  /** By the name of the situation. The rows are the same ones for any number of sessions. */
  readonly situations: Readonly<Record<string, readonly Row[]>>;
}

/** Counts requests and bytes between a panel in Chromium and its gateway. */
export async function traffic(sessions: number): Promise<TrafficResult> {
  const bench = await Bench.launch();
  try {
    // Side by side: a busy machine changes no count.
    const all = Object.entries(SITUATIONS).map(async ([name, parts]) => {
      const rows = await Promise.all(parts.map((part) => part(bench, sessions)));
      return [name, rows.flat()] as const;
    });
    return { sessions, situations: Object.fromEntries(await Promise.all(all)) };
  } finally {
    await bench.close();
  }
}
