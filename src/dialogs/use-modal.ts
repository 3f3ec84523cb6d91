import { type RefObject, useLayoutEffect } from 'react';
import { usePlacement } from '../ui/placement.ts';

/**
 * Shows a dialog as modal while it is rendered. While the page hides the panel the dialog is closed: an invisible modal
 * dialog would make the whole page inert.
 *
 * @param beside - an element of the panel that is rendered beside it
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
    // Tells when the panel is hidden, which hides the dialog, and when it is back, by what stands beside the dialog. A
    // ResizeObserver would do too, but Chromium reports its loops to the page as errors.
    const observer = new IntersectionObserver(follow);
    observer.observe(element);
    observer.observe(sign);
    return () => observer.disconnect();
  }, [dialog, beside, placement]);
}
