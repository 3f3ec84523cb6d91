/** What the benchmark asks of a page. It is there before the page's own script. */
import { drawingOf, firstCard, shadowRoot, shownCount, stateOf } from './cards.ts';
import { painted } from './frames.ts';
import { onPush, watchSockets } from './received.ts';
import { type SeenFrame, seenFrames, watchScrolling } from './scroll.ts';
import { type StormReport, watchStorm } from './storm.ts';

interface Probe {
  /** Milliseconds from the beginning of the navigation until the first card is painted, with its code. */
  readonly firstCode: Promise<number>;
  /** The same without a code. */
  readonly firstCard: Promise<number>;
  /** Ends the look-out for a first code, which may never come: it keeps a page busy that has nothing to draw. */
  openingEnded(): void;
  /** Milliseconds from the next push until the first card is painted with it: another state text, or another code. */
  pushPainted(what: 'state' | 'code'): Promise<number>;
  storm(total: number, words: Readonly<Record<string, string>>): Promise<StormReport>;
  /** Looks at each frame, from now until what they show is asked for. */
  watchScrolling(): void;
  seenFrames(): readonly SeenFrame[];
  /** Collects, from now on, how long each key takes until what it wrote is painted, in milliseconds. */
  collectKeys(): void;
  collectedKeys(): number[];
  /** Milliseconds from the next key until so many cards are painted, and no other. */
  keyShows(count: number): Promise<number>;
  /** Until a frame has been painted: what was asked for before is being listened for. */
  framePassed(): Promise<number>;
  focus(selector: string): void;
  mount(): Promise<void>;
  remove(): Promise<void>;
}

declare global {
  var bench: Probe;
}

watchSockets();

const keys: number[] = [];

function onceKey(): Promise<number> {
  return new Promise((resolve) => {
    addEventListener('keydown', ({ timeStamp }) => resolve(timeStamp), { capture: true, once: true });
  });
}

let opening = true;

globalThis.bench = {
  firstCode: painted(0, () => !opening || drawingOf(firstCard()) !== undefined),
  firstCard: painted(0, () => firstCard() !== undefined),

  openingEnded() {
    opening = false;
  },

  async pushPainted(what) {
    const look = () => (what === 'state' ? stateOf(firstCard()) : drawingOf(firstCard()));
    const before = look();
    const received = await new Promise<number>((resolve) => {
      const stop = onPush((time) => {
        stop();
        resolve(time);
      });
    });
    return (await painted(received, () => look() !== before && look() !== undefined)) - received;
  },

  storm: watchStorm,
  watchScrolling,
  seenFrames,

  collectKeys() {
    let pressed = 0;
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        pressed = timeStamp;
      },
      true,
    );
    addEventListener(
      'input',
      async () => {
        const from = pressed;
        keys.push((await painted(performance.now(), () => true)) - from);
      },
      true,
    );
  },
  collectedKeys: () => keys,

  async keyShows(count) {
    const pressed = await onceKey();
    return (await painted(pressed, () => shownCount() === count)) - pressed;
  },

  framePassed: () => painted(performance.now(), () => true),

  focus(selector) {
    const field = shadowRoot()?.querySelector<HTMLElement>(selector);
    if (!field) throw new Error(`There is no ${selector}`);
    field.focus();
  },

  async mount() {
    document.body.append(document.createElement('whatsapp-operadores'));
    await painted(0, () => firstCard() !== undefined);
  },
  async remove() {
    const root = shadowRoot();
    document.body.firstElementChild?.remove();
    await painted(0, () => root?.childElementCount === 0);
  },
};
