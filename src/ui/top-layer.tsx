/** The browser's top layer: what is in it, and what has to be in it again. */
import {
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useLayoutEffect,
  useState,
} from 'react';
import { createPortal } from 'react-dom';

/**
 * Shows a dialog as modal while it is rendered. While the page hides the panel the dialog is closed: an invisible modal
 * dialog would make the whole page inert.
 *
 * @param beside - an element of the panel that is rendered beside it
 * @param placement - another number when the panel was moved in the page, which takes the dialog out of the top layer
 */
export function useModal(
  dialog: RefObject<HTMLDialogElement | null>,
  beside: RefObject<HTMLElement | null>,
  placement: number,
): void {
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
    // The dialog is hidden with the panel; what stands beside it reports that the panel is back. A ResizeObserver would
    // do too, but Chromium reports its loops to the page as errors.
    const observer = new IntersectionObserver(follow);
    observer.observe(element);
    observer.observe(sign);
    return () => observer.disconnect();
  }, [dialog, beside, placement]);
}

const LiveLayerContext = createContext<HTMLElement | undefined>(undefined);

interface LiveLayerProps {
  /** What has to be seen, announced and reachable at any time. */
  readonly live: ReactNode;
  readonly children: ReactNode;
}

/**
 * Keeps a layer alive while a modal dialog makes the rest inert, unreachable for clicks and screen readers: an open
 * dialog takes the layer in ({@link useLiveLayer}).
 */
export function LiveLayer({ live, children }: LiveLayerProps) {
  const [layer] = useState(() => document.createElement('div'));
  // The same function at each rendering: React calls a new ref anew, which would take the layer out of a dialog.
  const home = useCallback((element: HTMLElement | null) => element?.append(layer), [layer]);
  return (
    <LiveLayerContext value={layer}>
      <div ref={home} />
      {children}
      {createPortal(live, layer)}
    </LiveLayerContext>
  );
}

/** Moves the layer into a dialog while that is rendered. */
export function useLiveLayer(dialog: RefObject<HTMLDialogElement | null>): void {
  const layer = useContext(LiveLayerContext);
  useLayoutEffect(() => {
    const home = layer?.parentElement;
    if (!layer || !home || !dialog.current) return;
    move(layer, dialog.current);
    return () => move(layer, home);
  }, [layer, dialog]);
}

/** Moves it without a restart of its animations, where the browser can. */
function move(layer: HTMLElement, parent: HTMLElement): void {
  if (parent.moveBefore) parent.moveBefore(layer, null);
  else parent.append(layer);
}

/**
 * How many pixels of the screen one pixel in an element's styles is: the page around it may have `zoom`. Browsers that do
 * not tell (Safari) measure in pixels of the styles.
 */
export const zoomOf = (element: Element): number => element.currentCSSZoom ?? 1;
