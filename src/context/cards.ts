import { flushSync } from 'react-dom';
import { batch, createObservableMap, onceAFrame } from '../observable.ts';
import type { Store } from '../store/store.ts';
import { focusedNear, TITLE } from '../ui/focus.ts';
import { isElement, zoomOf } from '../ui/input.ts';

/** How the card of a session is shown. What the operator has changed of it lasts until the session leaves the list. */
export interface Card {
  /** Whether the card has only its words, and nothing that can be operated. */
  readonly outline: boolean;
  /** The height of the whole card in pixels, which its outline keeps. */
  readonly height?: number;
  /** Of a row: whether it shows all that is on a card. */
  readonly opened: boolean;
  /** What is being edited in the form for names and proxy: where the focus began. */
  readonly editing?: 'label' | 'proxy' | undefined;
}

/** The test message of a session as it is typed: kept until the session leaves the list. */
export interface Draft {
  readonly text: string;
  readonly to: string;
  readonly sending: boolean;
  /** How the last sending ended, until something is typed. */
  readonly ending?: Ending | undefined;
}

/** How sending a test message ended. */
interface Ending {
  readonly accepted: boolean;
  readonly text: string;
  /** Whether the number in the field was refused. */
  readonly wrongNumber?: boolean | undefined;
}

const isUnsent = ({ text, to, ending }: Draft): boolean => text + to !== '' && !ending?.accepted;

/** Milliseconds for which changes of outlines are collected: nobody sees them, and each frame with one lays out the page. */
const OUTLINES_MS = 100;

/** How far from the screen a card is whole: a screen's height. */
const MARGIN = '100% 0px';

export type Cards = ReturnType<typeof createCards>;

/**
 * The cards of a panel. Changes of their sessions reach them once per frame, and outlines ten times per second.
 *
 * Those near the screen are whole, and those far from it outlines, unless they have the focus or are in use. Thousands of
 * whole cards would cost ten times the memory, and slow down each change of the page.
 *
 * @param keepsAll - whether all whole cards stay so, wherever they are
 */
export function createCards(store: Store, keepsAll: () => boolean) {
  const cards = createObservableMap<Card>({ outline: true, opened: false });
  const drafts = createObservableMap<Draft>({ text: '', to: '', sending: false });
  /** What is to be drawn, by what it is drawn in. */
  const undrawn = new Map<Element | undefined, () => void>();
  const drawing = batch(afterPaint, drawNext);
  /** The whole cards that are far from the screen, with their heights. */
  const far = new Map<Element, number>();
  const observer = new IntersectionObserver(moved, margin());

  function update(numero: string, change: Partial<Card>): void {
    if (store.get(numero)) cards.update(numero, change);
  }

  function drawNext(): void {
    const [next] = [...undrawn].sort(([one], [other]) => fromMiddle(one) - fromMiddle(other));
    if (!next) return;
    const [element, draw] = next;
    undrawn.delete(element);
    if (undrawn.size > 0) drawing.add();
    draw();
  }

  function makeWhole(card: Element): void {
    const numero = numeroOf(card);
    if (!cards.get(numero).outline) return;
    far.set(card, 0);
    flushSync(() => update(numero, { outline: false }));
  }

  /** Makes the cards outlines that are far from the screen and no longer in use. */
  function makeOutlines(): void {
    if (keepsAll()) return;
    for (const [card, height] of far) {
      const numero = numeroOf(card);
      // For :focus-within and :hover, the menu of a card is not in it while it is in the top layer.
      if (card.contains(focusedNear(card)) || cards.get(numero).editing || isUnsent(drafts.get(numero)))
        continue;
      far.delete(card);
      update(numero, { outline: true, ...(height > 0 && { height }) });
    }
  }

  function moved(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      const numero = numeroOf(target);
      const { outline } = cards.get(numero);
      if (isIntersecting) {
        far.delete(target);
        if (outline) update(numero, { outline: false });
        // A card without height that is not filtered out is in a panel that the page hides, and will show again as it was.
      } else if (!outline && (boundingClientRect.height > 0 || target.hasAttribute('hidden')))
        far.set(target, boundingClientRect.height / zoomOf(target));
    }
    makeOutlines();
  }

  return {
    ...cards,
    update,
    drafts,
    makeWhole,
    makeOutlines,

    /** Follows the store, from what it has now; returns the function that stops it. */
    follow(): () => void {
      const show = (numeros: ReadonlySet<string>) => {
        for (const numero of numeros)
          if (store.get(numero)) cards.call(numero);
          else cards.delete(numero);
      };
      const inFrame = batch(onceAFrame(), show);
      const later = batch((run) => setTimeout(run, OUTLINES_MS), show);
      cards.callAll();
      const stop = store.changes.add(({ numero, now }) => {
        // Another session may get the same numero.
        if (!now) drafts.delete(numero);
        (cards.get(numero).outline ? later : inFrame).add(numero);
      });
      return () => {
        stop();
        later.cancel();
      };
    },

    /**
     * Draws what is costly after the screen has been painted: one drawing per frame, the nearest to the screen's middle first.
     * Returns the function that takes the drawing back.
     *
     * @param element - undefined for what comes after all drawings
     */
    drawLater(element: Element | undefined, draw: () => void): () => void {
      undrawn.set(element, draw);
      drawing.add();
      return () => undrawn.delete(element);
    },

    /** A ref of each card. */
    observe(card: HTMLElement): () => void {
      observer.observe(card);
      return () => {
        observer.unobserve(card);
        far.delete(card);
      };
    },

    /**
     * Moves the focus from an outline into the whole card: from its title to the title, and from its button to the first control,
     * or to the last where the focus comes from below.
     */
    focused({ target, relatedTarget }: { target: EventTarget; relatedTarget: EventTarget | null }): void {
      if (!isElement(target)) return;
      const card = target.closest('article');
      if (!card || !cards.get(numeroOf(card)).outline) return;
      const isTitle = target.matches(TITLE);
      const isFromBelow =
        isElement(relatedTarget) &&
        card.compareDocumentPosition(relatedTarget) & Node.DOCUMENT_POSITION_FOLLOWING;
      makeWhole(card);
      const move = () => {
        if (isTitle) return card.querySelector<HTMLElement>(TITLE)?.focus();
        const controls = [...card.querySelectorAll<HTMLElement>('button, input')];
        const visible = controls.filter((one) => one.checkVisibility());
        visible.at(isFromBelow ? -1 : 0)?.focus();
      };
      // React is at work where a closing dialog gives the focus back: then it renders the card right after that.
      if (card.hasAttribute('data-outline')) queueMicrotask(move);
      else move();
    },
  };
}

/** The margin of any scroller around the panel; in browsers without that (Safari before 26), only of the page. */
function margin(): IntersectionObserverInit {
  return 'scrollMargin' in IntersectionObserver.prototype ? { scrollMargin: MARGIN } : { rootMargin: MARGIN };
}

export function numeroOf(card: Element): string {
  return card.getAttribute('data-numero') ?? '';
}

/** Pixels from the middle of the screen. Right after a frame it costs no layout. */
function fromMiddle(element: Element | undefined): number {
  if (!element) return Infinity;
  const { top, bottom } = element.getBoundingClientRect();
  return Math.abs((top + bottom - innerHeight) / 2);
}

export function afterPaint(work: () => void): undefined {
  // A page in the background draws no frame.
  if (document.hidden) setTimeout(work);
  else requestAnimationFrame(() => setTimeout(work));
}
