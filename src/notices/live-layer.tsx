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

const LiveLayerContext = createContext<HTMLElement | undefined>(undefined);

interface Props {
  /** What has to be seen, announced and reachable at any time. */
  readonly live: ReactNode;
  readonly children: ReactNode;
}

/**
 * Keeps a layer alive while a modal dialog makes the rest inert, unreachable for clicks and screen readers: an open dialog
 * takes the layer in ({@link useLiveLayer}).
 */
export function LiveLayer({ live, children }: Props) {
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
