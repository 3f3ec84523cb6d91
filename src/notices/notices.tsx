/** The notices, by react-toastify, above everything else on the page. */
import { createContext, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
// The main entry adds a style element to the page's head; this one leaves styling to the panel.
import { type Id, ToastContainer, type ToastContentProps, toast } from 'react-toastify/unstyled';
import { Numero } from '../card/head.tsx';
import { useObservable, usePanel } from '../context/panel-context.ts';
import { log } from '../log.ts';
import { MOST_NOTICES, type Notice } from '../store/shared.ts';
import * as texts from '../texts/sentences.ts';
import { Button } from '../ui/button.tsx';
import { icons } from '../ui/icons.tsx';

// Pages of old have one of their own, without iterables or without a second argument (MooTools, Prototype).
if (Array.from(new Set([1]), String)[0] !== '1') log('there are no notices: the page replaces Array.from');

/** How many notices are shown at once, the newest, until the operator asks for the rest. */
const SHOWN = 3;

/** The notices that are on the screen: the time of the others stands still. */
const ShownContext = createContext<readonly Id[]>([]);

/**
 * The container of the notices. It is a popover, in the browser's top layer, so that no transform, overflow or z-index of
 * the host page affects it.
 */
export function Notices() {
  const { t, dialog: opened, placement: placed, settings } = usePanel();
  const { notificationTimeout, notificationPosition: position } = useObservable(settings);
  // The library keeps its containers in one map for the whole page: each panel needs an id of its own.
  const [containerId] = useState(Math.random);
  const popover = useRef<HTMLDivElement>(null);
  const placement = useObservable(placed);
  // Notices have to be above the dialog that is open.
  const dialog = useObservable(opened);
  const ids = useToasts(containerId);
  const [all, setAll] = useState(false);
  const shown = all ? ids : ids.slice(-SHOWN);
  const rest = ids.length - shown.length;
  if (all && ids.length <= SHOWN) setAll(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the top layer is a stack, and a move in the page empties it
  useLayoutEffect(() => {
    const layer = popover.current;
    layer?.hidePopover();
    layer?.showPopover();
  }, [dialog, placement]);

  return (
    <div
      ref={popover}
      className="notices"
      part="notices"
      hidden={ids.length === 0}
      popover="manual"
      data-position={position}
      data-all={all || undefined}
    >
      <ShownContext value={shown}>
        <ToastContainer
          containerId={containerId}
          aria-label={t(texts.notices)}
          // react-toastify 11 ignores 0 and uses its default.
          autoClose={notificationTimeout || false}
          // Its transitions wait for the end of an animation, which never comes while the panel is hidden.
          transition={false}
          newestOnTop
          pauseOnFocusLoss={false}
          draggable={false}
          hotKeys={() => false}
          customProgressBar
          closeButton={false}
          icon={false}
        />
      </ShownContext>
      {rest > 0 && (
        <Button
          className="outlined"
          onClick={({ currentTarget }) => {
            // The button disappears.
            currentTarget.parentElement?.querySelector<HTMLElement>('.icon')?.focus();
            setAll(true);
          }}
        >
          {t(texts.moreNotices, rest)}
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
    const show = (notice: Notice) => {
      const { kind, replaceKey } = notice;
      const isFailure = kind === 'negative';
      for (const [id, other] of notices) if (replaceKey && replaceKey === other.replaceKey) dismiss(id);
      const oldest = [...notices].find(([, other]) => other.kind === 'positive');
      if (oldest && notices.size >= MOST_NOTICES) dismiss(oldest[0]);
      const id = toast((props) => <NoticeContent {...props} notice={notice} />, {
        containerId,
        type: isFailure ? 'error' : 'success',
        role: isFailure ? 'alert' : 'status',
        onClose: () => {
          notices.delete(id);
          follow();
        },
      });
      notices.set(id, notice);
      follow();
    };
    const showAll = () => {
      const waiting = store.notices.get();
      if (waiting.length === 0) return;
      // After a failure to render, the next container must not show them again.
      store.notices.set([]);
      waiting.forEach(show);
    };
    // Some may have come before the panel was on the screen.
    showAll();
    return store.notices.subscribe(showAll);
  }, [store, containerId]);
  return ids;
}

interface NoticeProps extends ToastContentProps {
  readonly notice: Notice;
}

/**
 * One notice: its session, its text, its close button, and the bar that shows its time. The library's own bar has an English
 * name, 'notification timer'.
 */
function NoticeContent({ notice, closeToast, isPaused, toastProps: { autoClose, toastId } }: NoticeProps) {
  const { t } = usePanel();
  const { kind, text, heading, name, numero = '' } = notice;
  const isNumbered = text.includes(numero);
  const paused = !useContext(ShownContext).includes(toastId) || isPaused;
  const bar = useRef<HTMLDivElement>(null);
  // By script: an animation by CSS starts again where the notice is moved or hidden.
  useEffect(() => {
    const time = bar.current?.animate({ scale: '0 1' }, autoClose || 0);
    if (!time) return;
    time.onfinish = () => closeToast();
    return () => time.cancel();
  }, [autoClose, closeToast]);
  useEffect(() => {
    for (const time of bar.current?.getAnimations() ?? []) time[paused ? 'pause' : 'play']();
  }, [paused]);

  return (
    <>
      {icons[kind === 'negative' ? 'act' : 'nothing']}
      <div className="notice-lines">
        {(name || !isNumbered) && (
          <p className="notice-called">
            {name && <bdi>{name}</bdi>} {!isNumbered && <Numero numero={numero} />}
          </p>
        )}
        {heading && <p>{heading}</p>}
        <p className={heading ? 'notice-text muted' : 'notice-text'}>{text}</p>
      </div>
      <Button className="icon" aria-label={t(texts.close)} onClick={() => closeToast()}>
        {icons.close}
      </Button>
      {autoClose && (
        <div ref={bar} className="notice-time" role="progressbar" aria-label={t(texts.noticeTime)} />
      )}
    </>
  );
}
