/** Where the focus goes when its element is removed: the browser would move it to the page's body. */
import { type RefObject, useEffect } from 'react';

/** The card of a session, where it has one. */
export function cardOf(within: ParentNode, numero: string): Element | null {
  return within.querySelector(`[data-numero="${CSS.escape(numero)}"]`);
}

/** A ref. When its element is removed with the focus, the focus moves to the title of the nearest ancestor with `data-focus-fallback`. */
export function focusFallback(element: HTMLElement | null): () => void {
  return () => {
    const root = element?.getRootNode();
    if (!(root instanceof ShadowRoot && element?.contains(root.activeElement))) return;
    focusTitle(element.parentElement?.closest('[data-focus-fallback]'));
  };
}

/**
 * When a dialog closes and what had the focus before is gone, focuses the card of the session that it was about, or the
 * heading above all cards.
 */
export function useRestoreFocus(dialog: RefObject<HTMLElement | null>, numero: string | undefined): void {
  useEffect(() => {
    const root = dialog.current?.getRootNode();
    return () => {
      if (!(root instanceof ShadowRoot) || root.activeElement) return;
      focusTitle((numero !== undefined && cardOf(root, numero)) || root.querySelector('.main'));
    };
  }, [dialog, numero]);
}

/** The title is what has `tabIndex={-1}`. */
function focusTitle(box: Element | null | undefined): void {
  box?.querySelector<HTMLElement>('[tabindex="-1"]')?.focus();
}
