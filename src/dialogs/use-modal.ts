import { type RefObject, useLayoutEffect } from 'react';
import { usePlacement } from '../ui/placement.ts';

/**
 * Keeps a dialog modal for as long as it is there, and gives the focus back at its end. While the page hides the
 * panel the dialog is closed: a modal one would make all of the page inert with nothing to be seen.
 *
 * @param beside an element of the panel that is always rendered with it
 */
export function useModal(
  dialog: RefObject<HTMLDialogElement | null>,
  beside: RefObject<HTMLElement | null>,
): void {
  const placement = usePlacement();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a move in the page may end what showModal did
  useLayoutEffect(() => {
    const element = dialog.current;
    const sign = beside.current;
    if (!element || !sign) return;
    const follow = () => {
      const shown = sign.checkVisibility();
      if (shown === element.matches(':modal')) return;
      element.close();
      if (shown) element.showModal();
    };
    follow();
    // A modal dialog is always on the screen, until it is hidden; what stands beside it is there again when the panel
    // is. A ResizeObserver would see the same, and make Chromium report errors of its loop to the page.
    const observer = new IntersectionObserver(follow);
    observer.observe(element);
    observer.observe(sign);
    return () => observer.disconnect();
  }, [dialog, beside, placement]);

  useLayoutEffect(() => {
    const element = dialog.current;
    // React takes the element out of the page, which drops the focus on the body: only close() gives it back.
    return () => element?.close();
  }, [dialog]);
}
