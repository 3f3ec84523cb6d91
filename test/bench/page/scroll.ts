import { shadowRoot } from './cards.ts';

/** What a frame shows. */
export interface SeenFrame {
  /** Milliseconds of the page's clock. */
  readonly time: number;
  readonly scrolled: number;
  /** Cards or rows in the viewport. */
  readonly cards: number;
  /** How many of them are outlines. */
  readonly outlines: number;
  /** Whether a word of any of them is in the viewport. */
  readonly hasWords: boolean;
}

let frames: SeenFrame[] = [];
let isWatching = false;
let articles: readonly Element[] = [];

/** Looks at each frame until {@link seenFrames} is called. */
export function watchScrolling(): void {
  frames = [];
  isWatching = true;
  articles = [...(shadowRoot()?.querySelectorAll('article') ?? [])];
  requestAnimationFrame(look);
}

export function seenFrames(): readonly SeenFrame[] {
  isWatching = false;
  return frames;
}

function look(time: number): void {
  if (!isWatching) return;
  const cards = cardsInView();
  frames.push({
    time,
    scrolled: scrollY,
    cards: cards.length,
    outlines: cards.filter((card) => card.hasAttribute('data-outline')).length,
    hasWords: cards.some(hasWordsInView),
  });
  requestAnimationFrame(look);
}

/** By bisection, since they are in the order of their places: to look at thousands in each frame would take longer than a frame. */
function cardsInView(): Element[] {
  let [from, to] = [0, articles.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if ((articles[middle]?.getBoundingClientRect().bottom ?? 0) > 0) to = middle;
    else from = middle + 1;
  }
  const found: Element[] = [];
  for (const card of articles.slice(from)) {
    if (card.getBoundingClientRect().top >= innerHeight) break;
    found.push(card);
  }
  return found;
}

function hasWordsInView(card: Element): boolean {
  return Array.from(card.querySelectorAll('h3, p, label, button, strong, span')).some((element) => {
    const { top, bottom, height } = element.getBoundingClientRect();
    return height > 0 && element.textContent !== '' && bottom > 0 && top < innerHeight;
  });
}
