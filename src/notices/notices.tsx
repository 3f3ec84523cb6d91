/** The notices of spec §2 and §9, by react-toastify, above everything else on the page. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
// The main entry adds a style element to the page's head; this one leaves styling to the panel.
import { type Id, ToastContainer, toast } from 'react-toastify/unstyled';
import { usePanel } from '../panel-context.ts';
import type { NoticePosition } from '../settings.ts';
import { texts } from '../texts.ts';
import { usePlacement } from '../ui/placement.ts';
import { CloseButton, NoticeContent } from './notice.tsx';

/** How many notices are shown at most: nobody reads more, and they cost time. */
const MOST = 50;

interface Props {
  /** In milliseconds; 0 keeps a notice until it is closed. */
  readonly timeout: number;
  readonly position: NoticePosition;
  /** Identifies the dialog that is open: notices have to be above it. */
  readonly dialog: object | undefined;
}

/**
 * The container of the notices. It is a popover, in the browser's top layer, so that no transform, overflow or z-index of
 * the host page affects it.
 */
export function Notices({ timeout, position, dialog }: Props) {
  // The library keeps its containers in one map for the whole page: each panel needs an id of its own.
  const [containerId] = useState(() => `wo-${Math.random().toString(36).slice(2)}`);
  const popover = useRef<HTMLDivElement>(null);
  const placement = usePlacement();
  useToasts(containerId, popover);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the top layer is a stack, and a move in the page empties it
  useLayoutEffect(() => {
    const layer = popover.current;
    layer?.showPopover();
    return () => layer?.hidePopover();
  }, [dialog, placement]);

  return (
    <div ref={popover} className="notices" part="notices" popover="manual">
      <ToastContainer
        containerId={containerId}
        aria-label={texts.notices}
        position={position}
        // react-toastify 11 ignores 0 and uses its default.
        autoClose={timeout || false}
        // Its transitions wait for the end of an animation, which never comes while the panel is hidden.
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

/** Makes each notice of the store a toast. */
function useToasts(containerId: string, popover: RefObject<HTMLElement | null>): void {
  const { store } = usePanel();
  useEffect(() => {
    /** What is on the screen, the oldest first, by the ids of the toasts. */
    const replaceKeys = new Map<Id, string | undefined>();
    const dismiss = (id: Id) => {
      replaceKeys.delete(id);
      toast.dismiss({ id, containerId });
    };
    const show = () => {
      const notice = store.notice.get();
      if (!notice) return;
      const { kind, text, replaceKey } = notice;
      for (const [id, key] of replaceKeys) if (key !== undefined && key === replaceKey) dismiss(id);
      const [oldest] = replaceKeys.keys();
      if (oldest !== undefined && replaceKeys.size === MOST) dismiss(oldest);
      if (popover.current) clearHeader(popover.current);
      const id = toast((props) => <NoticeContent {...props} text={text} />, {
        containerId,
        type: kind === 'positive' ? 'success' : 'error',
        role: kind === 'positive' ? 'status' : 'alert',
        onClose: () => replaceKeys.delete(id),
      });
      replaceKeys.set(id, replaceKey);
      // After a failure to render, the next container must not show it again.
      store.notice.set(undefined);
    };
    // A failure may come before the panel is on the screen.
    show();
    return store.notice.subscribe(show);
  }, [store, containerId, popover]);
}

/** Keeps notices at the top below the panel's header while that is on the screen: its button stays free. */
function clearHeader(layer: HTMLElement): void {
  const root = layer.getRootNode();
  const header = root instanceof ShadowRoot && root.querySelector('.header');
  const bottom = header ? header.getBoundingClientRect().bottom : 0;
  layer.style.setProperty('--_header', `${Math.max(0, Math.min(bottom, innerHeight / 2))}px`);
}
