import { flushSync } from 'react-dom';
import { focusNeighbour, focusTitle, TITLE } from '../ui/focus.ts';
import { isElement } from '../ui/guards.ts';
import { zoomOf } from '../ui/zoom.ts';
import type { Cards } from './cards.ts';

/** How far from the screen a card is whole: a screen's height. */
const MARGIN = '100% 0px';

/**
 * Makes the cards near the screen whole, and those far from it outlines, unless they have the focus or are in use. Thousands
 * of whole cards would cost ten times the memory, and slow down each change of the page.
 */
export class Nearness {
  readonly #cards: Cards;
  readonly #isInUse: (numero: string) => boolean;
  /** The whole cards that are far from the screen, with their heights. */
  readonly #far = new Map<Element, number>();
  readonly #observer = new IntersectionObserver((entries) => this.#moved(entries), margin());

  /** @param isInUse - whether the card of a session stays whole, wherever it is */
  constructor(cards: Cards, isInUse: (numero: string) => boolean) {
    this.#cards = cards;
    this.#isInUse = isInUse;
  }

  /** A ref of each card. */
  readonly observe = (card: HTMLElement | null): (() => void) | undefined => {
    if (!card) return undefined;
    this.#observer.observe(card);
    return () => {
      focusNeighbour(card);
      this.#observer.unobserve(card);
      this.#far.delete(card);
    };
  };

  /** Makes a card whole now. */
  enter(card: Element): void {
    const numero = numeroOf(card);
    if (!this.#cards.get(numero).outline) return;
    this.#far.set(card, 0);
    flushSync(() => this.#cards.update(numero, { outline: false }));
  }

  /**
   * Moves the focus from an outline into the whole card: from its title to the title, and from its button to the first control,
   * or to the last where the focus comes from below.
   */
  focused({ target, relatedTarget }: { target: EventTarget; relatedTarget: EventTarget | null }): void {
    if (!isElement(target)) return;
    const card = target.closest('article');
    if (!card || !this.#cards.get(numeroOf(card)).outline) return;
    const isTitle = target.matches(TITLE);
    const isFromBelow =
      isElement(relatedTarget) &&
      card.compareDocumentPosition(relatedTarget) & Node.DOCUMENT_POSITION_FOLLOWING;
    this.enter(card);
    const move = () => {
      if (isTitle) return focusTitle(card);
      const controls = [...card.querySelectorAll<HTMLElement>('button, input')];
      const visible = controls.filter((one) => one.checkVisibility());
      visible.at(isFromBelow ? -1 : 0)?.focus();
    };
    // React is at work where a closing dialog gives the focus back: then it renders the card right after that.
    if (card.hasAttribute('data-outline')) queueMicrotask(move);
    else move();
  }

  /** Makes the cards outlines that are far from the screen and no longer in use. */
  readonly release = (): void => {
    for (const [card, height] of this.#far) {
      const numero = numeroOf(card);
      if (card.matches(':focus-within') || this.#isInUse(numero)) continue;
      this.#far.delete(card);
      this.#cards.update(numero, { outline: true, ...(height > 0 && { height }) });
    }
  };

  #moved(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      const numero = numeroOf(target);
      const { outline } = this.#cards.get(numero);
      if (isIntersecting) {
        this.#far.delete(target);
        if (outline) this.#cards.update(numero, { outline: false });
        // A card without height that is not filtered out is in a panel that the page hides, and will show again as it was.
      } else if (!outline && (boundingClientRect.height > 0 || target.hasAttribute('hidden')))
        this.#far.set(target, boundingClientRect.height / zoomOf(target));
    }
    this.release();
  }
}

/** The margin of any scroller around the panel; in browsers without that (Safari before 26), only of the page. */
function margin(): IntersectionObserverInit {
  return 'scrollMargin' in IntersectionObserver.prototype ? { scrollMargin: MARGIN } : { rootMargin: MARGIN };
}

function numeroOf(card: Element): string {
  return card.getAttribute('data-numero') ?? '';
}
