import { flushSync } from 'react-dom';
import { batch, ObservableMap, onceAFrame } from '../observable.ts';
import type { Store } from '../store/store.ts';
import { focusTitle, TITLE } from '../ui/focus.ts';
import { isElement } from '../ui/input.ts';
import { zoomOf } from '../ui/top-layer.tsx';

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
export interface Ending {
  readonly accepted: boolean;
  readonly text: string;
  /** The server's id of the message, where it tells what becomes of it. */
  readonly id?: string | undefined;
  /** Whether the number in the field was refused. */
  readonly wrongNumber?: boolean | undefined;
}

const NO_DRAFT: Draft = { text: '', to: '', sending: false };

const isUnsent = ({ text, to, ending }: Draft): boolean => text + to !== '' && !ending?.accepted;

/** Milliseconds for which changes of outlines are collected: nobody sees them, and each frame with one lays out the page. */
const OUTLINES_MS = 100;

/** How far from the screen a card is whole: a screen's height. */
const MARGIN = '100% 0px';

/**
 * The cards of a panel. Changes of their sessions reach them once per frame, and outlines ten times per second.
 *
 * Those near the screen are whole, and those far from it outlines, unless they have the focus or are in use. Thousands of
 * whole cards would cost ten times the memory, and slow down each change of the page.
 */
export class Cards extends ObservableMap<Card> {
  readonly #store: Store;
  readonly #keepsAll: () => boolean;
  /** The test messages, as they are typed. */
  readonly drafts = new ObservableMap(NO_DRAFT);
  /** What is to be drawn, by what it is drawn in. */
  readonly #undrawn = new Map<Element | undefined, () => void>();
  #isDrawing = false;
  /** The whole cards that are far from the screen, with their heights. */
  readonly #far = new Map<Element, number>();
  readonly #observer = new IntersectionObserver((entries) => this.#moved(entries), margin());

  /** @param keepsAll - whether all whole cards stay so, wherever they are */
  constructor(store: Store, keepsAll: () => boolean) {
    super({ outline: true, opened: false });
    this.#store = store;
    this.#keepsAll = keepsAll;
  }

  /** Follows the store, from what it has now; returns the function that stops it. */
  follow(): () => void {
    const { changes, get } = this.#store;
    const show = (numeros: ReadonlySet<string>) => {
      for (const numero of numeros)
        if (get(numero)) this.call(numero);
        else this.delete(numero);
    };
    const inFrame = batch(onceAFrame(), show);
    const later = batch((run) => setTimeout(run, OUTLINES_MS), show);
    this.callAll();
    const stop = changes.add(({ numero, now }) => {
      // Another session may get the same numero.
      if (!now) this.drafts.delete(numero);
      (this.get(numero).outline ? later : inFrame).add(numero);
    });
    return () => {
      stop();
      later.cancel();
    };
  }

  /**
   * Draws what is costly after the screen has been painted: one drawing per frame, the nearest to the screen's middle first.
   * Returns the function that takes the drawing back.
   *
   * @param element - undefined for what comes after all drawings
   */
  drawLater(element: Element | undefined, draw: () => void): () => void {
    this.#undrawn.set(element, draw);
    this.#drawAfterPaint();
    return () => this.#undrawn.delete(element);
  }

  #drawAfterPaint(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    afterPaint(this.#drawNext);
  }

  readonly #drawNext = (): void => {
    this.#isDrawing = false;
    const [next] = [...this.#undrawn].sort(([one], [other]) => fromMiddle(one) - fromMiddle(other));
    if (!next) return;
    const [element, draw] = next;
    this.#undrawn.delete(element);
    if (this.#undrawn.size > 0) this.#drawAfterPaint();
    draw();
  };

  override update(numero: string, change: Partial<Card>): void {
    if (this.#store.get(numero)) super.update(numero, change);
  }

  /** A ref of each card. */
  readonly observe = (card: HTMLElement | null): (() => void) | undefined => {
    if (!card) return undefined;
    this.#observer.observe(card);
    return () => {
      this.#observer.unobserve(card);
      this.#far.delete(card);
    };
  };

  /** Makes a card whole now. */
  makeWhole(card: Element): void {
    const numero = numeroOf(card);
    if (!this.get(numero).outline) return;
    this.#far.set(card, 0);
    flushSync(() => this.update(numero, { outline: false }));
  }

  /**
   * Moves the focus from an outline into the whole card: from its title to the title, and from its button to the first control,
   * or to the last where the focus comes from below.
   */
  focused({ target, relatedTarget }: { target: EventTarget; relatedTarget: EventTarget | null }): void {
    if (!isElement(target)) return;
    const card = target.closest('article');
    if (!card || !this.get(numeroOf(card)).outline) return;
    const isTitle = target.matches(TITLE);
    const isFromBelow =
      isElement(relatedTarget) &&
      card.compareDocumentPosition(relatedTarget) & Node.DOCUMENT_POSITION_FOLLOWING;
    this.makeWhole(card);
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
  readonly makeOutlines = (): void => {
    if (this.#keepsAll()) return;
    for (const [card, height] of this.#far) {
      const numero = numeroOf(card);
      if (card.matches(':focus-within') || this.get(numero).editing || isUnsent(this.drafts.get(numero)))
        continue;
      this.#far.delete(card);
      this.update(numero, { outline: true, ...(height > 0 && { height }) });
    }
  };

  #moved(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      const numero = numeroOf(target);
      const { outline } = this.get(numero);
      if (isIntersecting) {
        this.#far.delete(target);
        if (outline) this.update(numero, { outline: false });
        // A card without height that is not filtered out is in a panel that the page hides, and will show again as it was.
      } else if (!outline && (boundingClientRect.height > 0 || target.hasAttribute('hidden')))
        this.#far.set(target, boundingClientRect.height / zoomOf(target));
    }
    this.makeOutlines();
  }
}

/** The margin of any scroller around the panel; in browsers without that (Safari before 26), only of the page. */
function margin(): IntersectionObserverInit {
  return 'scrollMargin' in IntersectionObserver.prototype ? { scrollMargin: MARGIN } : { rootMargin: MARGIN };
}

function numeroOf(card: Element): string {
  return card.getAttribute('data-numero') ?? '';
}

/** Pixels from the middle of the screen. Right after a frame it costs no layout. */
function fromMiddle(element: Element | undefined): number {
  if (!element) return Infinity;
  const { top, bottom } = element.getBoundingClientRect();
  return Math.abs((top + bottom - innerHeight) / 2);
}

export function afterPaint(work: () => void): void {
  // A page in the background draws no frame.
  if (document.hidden) setTimeout(work);
  else requestAnimationFrame(() => setTimeout(work));
}
