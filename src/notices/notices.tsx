import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
// The main entry adds a style element to the page's head; this one leaves the look to us.
import { ToastContainer, toast } from 'react-toastify/unstyled';
import type { NoticePosition } from '../settings.ts';
import { texts } from '../texts.ts';
import { usePlacement } from '../ui/placement.ts';
import { CloseButton, NoticeContent } from './notice.tsx';
import type { NoticeBoard } from './notice-board.ts';

interface Props {
  readonly board: NoticeBoard;
  /** In milliseconds; 0 keeps a notice until it is closed. */
  readonly timeout: number;
  readonly position: NoticePosition;
  /** Whatever stands for the dialog that is open: notices have to be seen above it. */
  readonly dialog: object | undefined;
}

/**
 * The notices of spec §2 and §9, by react-toastify. They live in a popover, in the browser's top layer, so that
 * no transform, overflow or z-index of the host page catches them.
 */
export function Notices({ board, timeout, position, dialog }: Props) {
  const notices = useSyncExternalStore(board.subscribe, board.getSnapshot);
  // The library keeps its containers in one map for the whole page: each panel needs a name of its own there.
  const [containerId] = useState(() => `wo-${Math.random().toString(36).slice(2)}`);
  const popover = useRef<HTMLDivElement>(null);
  const shown = useRef(new Set<number>());
  const placement = usePlacement();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the top layer is a stack, and a move in the page empties it
  useLayoutEffect(() => {
    const layer = popover.current;
    layer?.showPopover();
    return () => layer?.hidePopover();
  }, [dialog, placement]);

  useEffect(() => {
    if (popover.current && notices.length > 0) clearHeader(popover.current);
    const ids = new Set(notices.map(({ id }) => id));
    for (const id of shown.current) {
      if (ids.has(id)) continue;
      shown.current.delete(id);
      toast.dismiss({ id, containerId });
    }
    for (const { id, kind, text } of notices) {
      if (shown.current.has(id)) continue;
      shown.current.add(id);
      toast((props) => <NoticeContent {...props} text={text} />, {
        containerId,
        toastId: id,
        type: kind === 'positive' ? 'success' : 'error',
        role: kind === 'positive' ? 'status' : 'alert',
        onClose: () => board.dismiss(id),
      });
    }
  }, [notices, containerId, board]);

  return (
    <div ref={popover} className="notices" part="notices" popover="manual">
      <ToastContainer
        containerId={containerId}
        aria-label={texts.notices}
        position={position}
        // 0 would be ignored and leave the library's default (react-toastify 11).
        autoClose={timeout || false}
        // Its transitions wait for an animation's end, which never comes for what is hidden meanwhile.
        transition={false}
        newestOnTop={position.startsWith('top')}
        pauseOnFocusLoss={false}
        draggable={false}
        hotKeys={() => false}
        customProgressBar
        closeButton={CloseButton}
      />
    </div>
  );
}

/** Keeps notices at the top below the panel's header while that is on the screen: its button stays free. */
function clearHeader(layer: HTMLElement): void {
  const root = layer.getRootNode();
  const header = root instanceof ShadowRoot && root.querySelector('.header');
  const bottom = header ? header.getBoundingClientRect().bottom : 0;
  layer.style.setProperty('--_header', `${Math.max(0, Math.min(bottom, innerHeight / 2))}px`);
}
