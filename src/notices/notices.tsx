/** The notices, by react-toastify, above everything else on the page. */
import { createContext, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
// The main entry adds a style element to the page's head; this one leaves styling to the panel.
import { type Id, ToastContainer, type ToastContentProps, toast } from 'react-toastify/unstyled';
import { useObservable, usePanel } from '../context/panel-context.ts';
import type { NoticePosition } from '../settings.ts';
import type { Notice } from '../store/shared.ts';
import * as texts from '../texts.ts';
import { Button } from '../ui/button.tsx';
import { closeIcon } from '../ui/icons.tsx';
import { usePlacement } from '../ui/top-layer.tsx';
import { useKeepOffCodes } from './keep-off-codes.ts';

/** How many notices are shown at once, the newest, until the operator asks for the rest. */
const SHOWN = 3;
/** How many are kept: beyond that, the oldest positive one is dismissed. */
const MOST = 50;

/** The notices that are on the screen: the time of the others stands still. */
const ShownContext = createContext<readonly Id[]>([]);

interface Props {
  /** In milliseconds; 0 keeps a notice until it is closed. */
  readonly timeout: number;
  readonly position: NoticePosition;
}

/**
 * The container of the notices. It is a popover, in the browser's top layer, so that no transform, overflow or z-index of
 * the host page affects it.
 */
export function Notices({ timeout, position }: Props) {
  // The library keeps its containers in one map for the whole page: each panel needs an id of its own.
  const [containerId] = useState(Math.random);
  const popover = useRef<HTMLDivElement>(null);
  const placement = usePlacement();
  // Notices have to be above the dialog that is open.
  const dialog = useObservable(usePanel().dialog);
  const ids = useToasts(containerId);
  const [all, setAll] = useState(false);
  const shown = all ? ids : ids.slice(-SHOWN);
  const rest = ids.length - shown.length;
  if (all && ids.length <= SHOWN) setAll(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the top layer is a stack, and a move in the page empties it
  useLayoutEffect(() => {
    const layer = popover.current;
    // At once: while it is hidden the notices' animations end.
    layer?.hidePopover();
    layer?.showPopover();
  }, [dialog, placement]);
  useKeepOffCodes(popover, position, ids.length === 0);

  return (
    <div
      ref={popover}
      className="notices"
      part="notices"
      popover="manual"
      data-position={position}
      data-all={all || undefined}
    >
      <ShownContext value={shown}>
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
      </ShownContext>
      {rest > 0 && (
        <Button
          className="filled"
          onClick={({ currentTarget }) => {
            // The button disappears.
            currentTarget.parentElement?.querySelector<HTMLElement>('.icon')?.focus();
            setAll(true);
          }}
        >
          {texts.moreNotices(rest)}
        </Button>
      )}
    </div>
  );
}

/** Shows each notice of the store as a toast. Returns the ids of the toasts, the oldest first. */
function useToasts(containerId: Id): readonly Id[] {
  const { store } = usePanel();
  const [ids, setIds] = useState<readonly Id[]>([]);
  useEffect(() => {
    const notices = new Map<Id, Notice>();
    const dismiss = (id: Id) => toast.dismiss({ id, containerId });
    const follow = () => setIds([...notices.keys()]);
    const show = () => {
      const notice = store.notice.get();
      if (!notice) return;
      const { kind, text, replaceKey } = notice;
      for (const [id, other] of notices)
        if (replaceKey !== undefined && replaceKey === other.replaceKey) dismiss(id);
      const [oldest] = [...notices].find((entry) => entry[1].kind === 'positive') ?? [];
      if (oldest !== undefined && notices.size >= MOST) dismiss(oldest);
      const id = toast((props) => <NoticeContent {...props} text={text} />, {
        containerId,
        type: kind === 'positive' ? 'success' : 'error',
        role: kind === 'positive' ? 'status' : 'alert',
        onClose: () => {
          notices.delete(id);
          follow();
        },
      });
      notices.set(id, notice);
      follow();
      // After a failure to render, the next container must not show it again.
      store.notice.set(undefined);
    };
    // A failure may come before the panel is on the screen.
    show();
    return store.notice.subscribe(show);
  }, [store, containerId]);
  return ids;
}

interface NoticeProps extends ToastContentProps {
  readonly text: string;
}

/**
 * One notice: its text, and the bar that shows its time. The library's own bar has the name 'notification timer', which
 * would be English on a Spanish page.
 */
function NoticeContent({ text, closeToast, isPaused, toastProps: { autoClose, toastId } }: NoticeProps) {
  const paused = !useContext(ShownContext).includes(toastId) || isPaused;
  /** Tells how many milliseconds of its time have passed. */
  const age = useRef((): number => 0);
  const [shownAge, showAge] = useState(0);

  // The bar's animation is no clock: it ends while a dialog takes the notice in, or while the panel is hidden.
  useEffect(() => {
    if (!autoClose || paused) return;
    const from = Date.now() - age.current();
    age.current = () => Date.now() - from;
    const timer = setTimeout(closeToast, autoClose - age.current());
    return () => {
      clearTimeout(timer);
      const last = age.current();
      age.current = () => last;
    };
  }, [autoClose, closeToast, paused]);

  return (
    <>
      <p className="notice-text">{text}</p>
      {autoClose && (
        <div
          className="notice-time"
          role="progressbar"
          aria-label={texts.noticeTime}
          style={{
            animationDuration: `${autoClose}ms`,
            animationDelay: `${-shownAge}ms`,
            animationPlayState: paused ? 'paused' : 'running',
          }}
          // The animation restarts where the notice was moved or hidden.
          onAnimationStart={() => showAge(age.current())}
        />
      )}
    </>
  );
}

function CloseButton({ closeToast }: Pick<ToastContentProps, 'closeToast'>) {
  return (
    <Button className="icon" aria-label={texts.close} onClick={closeToast}>
      {closeIcon}
    </Button>
  );
}
