/** Where the focus goes when what has it is moved or removed: the browser would leave it to the page's body. */

export function cardOf(within: ParentNode, numero: string | null | undefined): Element | null {
  return within.querySelector(`article[data-numero="${CSS.escape(numero ?? '')}"]`);
}

/** What has the focus in the panel of an element. */
export function focusedNear(element: Element | null): Element | null {
  const root = element?.getRootNode();
  return root instanceof ShadowRoot ? root.activeElement : null;
}

/** A title gets the focus by script only. */
export const TITLE = '[tabindex="-1"]';

/** What gets the focus of what is removed from it. Cards and dialogs tell their session. */
const BOX = '[data-numero], dialog, .bulk';

/**
 * A ref of the panel. What is moved gets the focus again. What is removed leaves it to the card or dialog that it was in, or
 * else to the card of that session, to the next card, or to the heading above all cards.
 */
export function keepFocus(panel: HTMLElement | null): (() => void) | undefined {
  if (!panel) return undefined;
  /** What has the focus, what it is in, and the cards as they were then. */
  let focused: HTMLElement | null = null;
  let box: Element | null = null;
  let cards: Element[] = [];

  const remember = () => {
    const element = focusedNear(panel);
    focused = isFocusable(element) ? element : null;
    box = focused?.closest(BOX) ?? null;
    cards = box?.localName === 'article' ? [...panel.querySelectorAll('article')] : [];
    if (focused) observer.observe(panel, { childList: true, subtree: true });
    else observer.disconnect();
  };
  const check = (records: readonly MutationRecord[]) => {
    if (focusedNear(panel)) return;
    const isDialog = box?.localName === 'dialog';
    const isTaken = records.some(({ removedNodes }) =>
      [...removedNodes].some((node) => node.contains(focused)),
    );
    // A dialog may give it back to the page: a screen reader opens one by a click without a focus.
    if (isTaken && isFree(panel.ownerDocument, isDialog)) {
      focused?.focus({ preventScroll: true });
      const place = box ? cards.indexOf(box) : -1;
      const isShown = (card: Element) => card.isConnected && !card.matches('[hidden]');
      const next = [
        box,
        cardOf(panel, box?.getAttribute('data-numero')),
        place < 0 ? undefined : (cards.slice(place).find(isShown) ?? cards.slice(0, place).findLast(isShown)),
        panel.querySelector('.main'),
      ];
      for (const other of next) if (!focusedNear(panel)) targetIn(other)?.focus();
    }
    // An open dialog has the focus, though nothing in it may.
    if (isTaken || !isDialog) remember();
  };
  const observer = new MutationObserver(check);
  const gone = new AbortController();
  panel.addEventListener('focusin', remember, gone);
  // Some browsers tell it of what they remove, too: by then that is recorded.
  const leave = () => queueMicrotask(() => check(observer.takeRecords()));
  panel.addEventListener('focusout', leave, gone);
  return () => {
    observer.disconnect();
    gone.abort();
  };
}

/** Whether the focus is in this page, not in one around its frame, and on nothing of it, unless that is to lose it. */
function isFree(page: Document, fromAll: boolean): boolean {
  const { activeElement, body, defaultView } = page;
  return (fromAll || activeElement === body) && (defaultView === defaultView?.top || page.hasFocus());
}

const isFocusable = (element: Element | null): element is HTMLElement =>
  element !== null && 'focus' in element;

function targetIn(box: Element | null | undefined): HTMLElement | null | undefined {
  const action = box?.querySelector<HTMLElement>('.menu:popover-open button');
  // A dialog may have taken in the notices, whose list has a tabindex, too.
  const title = box?.localName === 'dialog' ? undefined : box?.querySelector<HTMLElement>(TITLE);
  return action ?? title ?? box?.querySelector('button');
}
