import { type RefObject, useLayoutEffect } from 'react';

/**
 * Saves the focus from an element that leaves the screen: the browser would let it fall to the page's body. It goes to
 * the title of the nearest box around the element that has `data-refuge`.
 */
export function useFocusKept(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const leaving = element.current;
    return () => {
      const root = leaving?.getRootNode();
      if (!(root instanceof ShadowRoot && leaving?.contains(root.activeElement))) return;
      focusTitle(leaving.parentElement?.closest('[data-refuge]'));
    };
  }, [element]);
}

/** The title of such a box is what has `tabIndex={-1}` in it. */
export function focusTitle(box: Element | null | undefined): void {
  box?.querySelector<HTMLElement>('[tabindex="-1"]')?.focus();
}
