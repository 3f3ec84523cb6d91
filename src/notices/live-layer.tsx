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
  /** What has to be seen, heard and reached at any time. */
  readonly live: ReactNode;
  readonly children: ReactNode;
}

/**
 * Keeps a layer of its content alive while a modal dialog makes all the rest inert, which neither a click nor a
 * screen reader gets at: an open dialog takes the layer in ({@link useLiveLayer}).
 */
export function LiveLayer({ live, children }: Props) {
  const [layer] = useState(() => document.createElement('div'));
  // The same function at each rendering: another one would be called anew, and take the layer out of a dialog.
  const home = useCallback((element: HTMLElement | null) => element?.append(layer), [layer]);
  return (
    <LiveLayerContext value={layer}>
      <div ref={home} />
      {children}
      {createPortal(live, layer)}
    </LiveLayerContext>
  );
}

/** Takes the layer into a dialog for as long as that is there. */
export function useLiveLayer(dialog: RefObject<HTMLDialogElement | null>): void {
  const layer = useContext(LiveLayerContext);
  useLayoutEffect(() => {
    const home = layer?.parentElement;
    if (!layer || !home || !dialog.current) return;
    move(layer, dialog.current);
    return () => move(layer, home);
  }, [layer, dialog]);
}

/** Without a restart of what runs in it, such as the time of a notice, where the browser can. */
function move(layer: HTMLElement, parent: HTMLElement): void {
  if (parent.moveBefore) parent.moveBefore(layer, null);
  else parent.append(layer);
}
