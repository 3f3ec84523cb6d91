/** Where the focus goes when its element is removed: the browser would move it to the page's body. */
import { type RefObject, useEffect } from 'react';

export function cardOf(within: ParentNode, numero = ''): Element | null {
  return within.querySelector(`[data-numero="${CSS.escape(numero)}"]`);
}

/** What has the focus in the panel of an element. */
export function focusedNear(element: Element | null): Element | null {
  const root = element?.getRootNode();
  return root instanceof ShadowRoot ? root.activeElement : null;
}

/** A ref. When its element is removed with the focus, the focus moves to the title of the nearest ancestor with `data-focus-fallback`. */
export function focusFallback(element: HTMLElement | null): () => void {
  return () => {
    if (element?.contains(focusedNear(element)))
      focusTitle(element.parentElement?.closest('[data-focus-fallback]'));
  };
}

/** Before a card leaves with the focus, focuses the next card, or else the one before: the page must not jump to the heading. */
export function focusNeighbour(card: Element): void {
  if (!card.contains(focusedNear(card))) return;
  const shown = [...(card.parentElement?.querySelectorAll(':scope > article:not([hidden])') ?? [])];
  const place = shown.indexOf(card);
  focusTitle(shown[place + 1] ?? shown[place - 1] ?? card.parentElement?.closest('[data-focus-fallback]'));
}

/**
 * When a dialog closes and what had the focus before is gone, focuses the card of the session that it was about, or the
 * heading above all cards.
 */
export function useRestoreFocus(dialog: RefObject<HTMLElement | null>, numero: string | undefined): void {
  useEffect(() => {
    const panel = dialog.current?.closest('.panel');
    return () => {
      if (panel && !focusedNear(panel)) focusTitle(cardOf(panel, numero) ?? panel.querySelector('.main'));
    };
  }, [dialog, numero]);
}

/** A title gets the focus by script only. */
export const TITLE = '[tabindex="-1"]';

export function focusTitle(box: Element | null | undefined): void {
  box?.querySelector<HTMLElement>(TITLE)?.focus();
}
