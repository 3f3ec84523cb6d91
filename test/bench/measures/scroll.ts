import { Bench, type Visit } from '../browser.ts';
import type { Setting } from '../comparison.ts';
import type { SeenFrame } from '../page/scroll.ts';
import type { PageName } from '../pages.ts';
import type { Row } from '../row.ts';
import { type Picture, withoutContent } from '../screencast.ts';

const COUNT = 5000;
/** Where the scroll bar is, at the right edge of the viewport. */
const BAR_X = 1273;
const [BAR_TOP, BAR_BOTTOM] = [22, 778];
/** Milliseconds between two events of a wheel, a held key or a mouse. */
const EVENT_MS = 16;
/** The last frames come after the last event. */
const AFTER_MS = 1500;

const COUNTED = ['frames in a row without a word', 'pictures in a row without content'] as const;
type Seen = Readonly<Record<(typeof COUNTED)[number], number>>;
type Way = (visit: Visit) => Promise<void>;

const WAYS: Readonly<Record<string, Way>> = {
  async wheel({ devtools }) {
    const turns: Promise<unknown>[] = [];
    for (let turn = 0; turn < 120; turn += 1) {
      // Half a screen a time: nobody turns faster. A hand does not wait for the page.
      const mouse = { x: 600, y: 500, deltaX: 0, deltaY: turn < 80 ? 400 : -800 };
      turns.push(devtools.send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...mouse }));
      await pause(EVENT_MS);
    }
    await Promise.all(turns);
  },
  async keys({ page }) {
    for (const key of ['End', 'Home', 'End', 'PageUp', 'PageUp', 'Home'] as const) {
      await page.keyboard.press(key);
      await pause(400);
    }
    for (const key of ['PageDown', 'ArrowDown'] as const)
      for (let time = 0; time < 20; time += 1) {
        await page.keyboard.press(key);
        await pause(2 * EVENT_MS);
      }
  },
  async 'drag of the bar'({ page }) {
    await page.mouse.move(BAR_X, BAR_TOP);
    await page.mouse.down();
    for (const y of [BAR_BOTTOM, BAR_TOP, 400]) {
      await page.mouse.move(BAR_X, y, { steps: 25 });
      await pause(200);
    }
    await page.mouse.up();
  },
};

/** The floor has no rows. */
const PAGES: Readonly<Record<string, { readonly panel: PageName; readonly floor?: PageName }>> = {
  cards: { panel: 'panel', floor: 'floor' },
  rows: { panel: 'list' },
};

/**
 * Scrolls through 5,000 sessions, and looks at every frame: whether it has a word of a session, by the elements and by a
 * picture of it, and how long there are outlines in the viewport.
 */
export async function scroll({ gateways }: Setting): Promise<Row[]> {
  const { url } = await gateways.start({ count: COUNT, all: 'mixed' });
  const bench = await Bench.launch({ scrollBars: true });
  const rows: Row[] = [];
  try {
    const seen = async (page: PageName, act: Way): Promise<Seen> => {
      const { frames, pictures } = await bench.visit(url, page, (visit) => watch(visit, act));
      const empty = await bench.visit(url, 'bare', (visit) => withoutContent(visit.page, pictures), {
        slowdown: 1,
      });
      console.error(`  ${page}: ${described(frames, empty)}`);
      return {
        'frames in a row without a word': longestRun(frames.map(({ hasWords }) => !hasWords)),
        'pictures in a row without content': longestRun(empty),
      };
    };
    for (const [what, pages] of Object.entries(PAGES)) {
      for (const [way, act] of Object.entries(WAYS)) {
        const action = `scroll ${COUNT.toLocaleString('en')} ${what} by ${way}`;
        console.error(action);
        const floor = pages.floor && (await seen(pages.floor, act));
        const panel = await seen(pages.panel, act);
        for (const words of COUNTED)
          rows.push({
            what: `${action}, ${words}`,
            unit: '',
            ...(floor && { floor: floor[words] }),
            panel: panel[words],
            goal: { of: 'value', at: 'most', limit: 2 },
          });
      }
    }
  } finally {
    await bench.close();
  }
  return rows;
}

async function watch(visit: Visit, act: Way) {
  const { page, devtools } = visit;
  await visit.settled();
  const pictures: Picture[] = [];
  devtools.on('Page.screencastFrame', ({ data, sessionId }) => {
    pictures.push(data);
    void devtools.send('Page.screencastFrameAck', { sessionId });
  });
  await devtools.send('Page.startScreencast', { format: 'jpeg', quality: 60, maxWidth: 640 });
  await page.evaluate(() => globalThis.bench.watchScrolling());
  await act(visit);
  await pause(AFTER_MS);
  const frames = await page.evaluate(() => globalThis.bench.seenFrames());
  await devtools.send('Page.stopScreencast');
  return { frames, pictures };
}

function described(frames: readonly SeenFrame[], empty: readonly boolean[]): string {
  const withOutlines = frames.map(({ outlines }) => outlines > 0);
  const distance = Math.max(...frames.map(({ scrolled }) => scrolled));
  return [
    `${Math.round(distance)} px`,
    `${frames.length} frames, longest ${Math.round(
      longestMs(
        frames.map(() => true),
        frames,
        1,
      ),
    )} ms`,
    `without a word ${count(frames.map(({ hasWords }) => !hasWords))}`,
    `with outlines ${count(withOutlines)}, for ${Math.round(longestMs(withOutlines, frames))} ms at most`,
    `${empty.length} pictures, ${count(empty)} without content`,
  ].join('; ');
}

function count(flags: readonly boolean[]): number {
  return flags.filter(Boolean).length;
}

function longestRun(flags: readonly boolean[]): number {
  let longest = 0;
  let run = 0;
  for (const flag of flags) {
    run = flag ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** How long the longest row of flagged frames lasts, of so many frames at most. */
function longestMs(flags: readonly boolean[], frames: readonly SeenFrame[], most = Infinity): number {
  let longest = 0;
  let begun = 0;
  frames.forEach(({ time }, index) => {
    const next = frames[index + 1];
    if (!flags[index] || !next) return;
    if (!flags[index - 1] || index - begun >= most) begun = index;
    longest = Math.max(longest, next.time - (frames[begun]?.time ?? time));
  });
  return longest;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
