/** The whole screen of spec §2. */
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { type OpenMenu, SessionMenu } from './card/session-menu.tsx';
import { DESTINATIONS } from './card/test-message-form.tsx';
import { AddDialog } from './dialogs/add-dialog.tsx';
import { CodeDialog } from './dialogs/code-dialog.tsx';
import { ConfirmDialog } from './dialogs/confirm-dialog.tsx';
import { HistoryDialog } from './dialogs/history-dialog.tsx';
import { LinkDialog } from './dialogs/link-dialog.tsx';
import { deletionOf, restartOf } from './dialogs/questions.ts';
import { ShortcutsDialog } from './dialogs/shortcuts-dialog.tsx';
import { SessionList } from './list/session-list.tsx';
import { Alerts } from './notices/alerts.tsx';
import { Announcer } from './notices/announcer.tsx';
import { ConnectionNotice } from './notices/connection-notice.tsx';
import { LiveLayer } from './notices/live-layer.tsx';
import { Notices } from './notices/notices.tsx';
import { Observable } from './observable.ts';
import { type OpenDialog, PanelContext, useObservable } from './panel-context.ts';
import type { NoticePosition, Order, View } from './settings.ts';
import type { Store } from './store/store.ts';
import * as texts from './texts.ts';
import { Clock } from './ui/clock.ts';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { ignoreHeldEnter } from './ui/guards.ts';
import { drawings, plusIcon } from './ui/icons.tsx';
import { LoadingOverlay } from './ui/loading-overlay.tsx';
import { MessageBox } from './ui/message-box.tsx';
import { PlacementContext } from './ui/placement.ts';
import { RenderQueue } from './ui/render-queue.ts';
import { useShortcuts } from './ui/shortcuts.ts';
import { STATES } from './wire.ts';

/** What the element passes to the view. */
export interface PanelProps {
  readonly store: Store;
  /** Counts the servers that the element has joined: another server is another screen. */
  readonly server: number;
  /** Counts how often the element has been put into a page, which empties the top layer each time. */
  readonly placement: number;
  /** The company in the footer. */
  readonly provider: string;
  readonly view: View;
  /** Undefined where the view decides. */
  readonly order: Order | undefined;
  /** As in the attribute: words of `Alert`. */
  readonly alerts: string;
  readonly confirmRestart: boolean;
  readonly connectionNotice: boolean;
  /** In milliseconds; 0 keeps notices until they are closed. */
  readonly notificationTimeout: number;
  readonly notificationPosition: NoticePosition;
}

/** The panel, in an error boundary: without it a failure to render would reach the host page. */
export function Panel({ panel }: { panel?: PanelProps }) {
  if (!panel) return null;
  return (
    <ErrorBoundary
      fallback={(retry) => <Crashed onRetry={retry} />}
      onError={(error) => panel.store.report(error, 'render')}
    >
      <PlacementContext value={panel.placement}>
        <Screen key={panel.server} {...panel} />
      </PlacementContext>
    </ErrorBoundary>
  );
}

function Screen({
  store,
  provider,
  view,
  order,
  confirmRestart,
  alerts,
  connectionNotice,
  notificationTimeout,
  notificationPosition,
}: PanelProps) {
  const { list, connected, destination, extensions, namedByHost } = useObservable(store.snapshot);
  const [dialog, setDialog] = useState<OpenDialog>();
  const [revealed, setRevealed] = useState<string>();
  const [own] = useState(() => ({
    renderQueue: new RenderQueue(),
    clock: new Clock(),
    naming: new Observable<ReadonlySet<string>>(new Set()),
    menu: new Observable<OpenMenu | undefined>(undefined),
  }));
  const shared = useMemo(
    () => ({
      store,
      // Names that the host page gives are not to be edited.
      extensions: new Set([...extensions].filter((one) => one !== 'label' || !namedByHost)),
      openDialog: setDialog,
      askToDelete: (numero: string) =>
        setDialog({ kind: 'question', ...deletionOf(numero, () => store.delete(numero)) }),
      restart(numeros: readonly string[], start: () => void) {
        const isConnected = (numero: string) => store.get(numero)?.session.state === STATES.connected;
        const connected = confirmRestart ? numeros.filter(isConnected).length : 0;
        if (connected === 0) start();
        else {
          // To start one that was deleted meanwhile would bring it back.
          const confirmed = () => numeros.some((numero) => store.get(numero)) && start();
          setDialog({ kind: 'question', ...restartOf(numeros, connected, confirmed) });
        }
      },
      ...own,
    }),
    [store, extensions, namedByHost, confirmRestart, own],
  );
  const main = useRef<HTMLDivElement>(null);
  useShortcuts(main, {
    n: () => setDialog({ kind: 'add' }),
    '?': () => setDialog({ kind: 'shortcuts' }),
  });
  const titleId = useId();
  const close = () => setDialog(undefined);
  // A session that was deleted before the answer came must not be scrolled to when it is listed again.
  const reveal = (numero: string) => setRevealed(store.get(numero) && numero);
  // Once it has been scrolled to, it is a session like the others.
  useEffect(() => {
    if (revealed !== undefined) setRevealed(undefined);
  }, [revealed]);

  return (
    <PanelContext value={shared}>
      <section
        className="panel"
        lang="es"
        dir="ltr"
        aria-labelledby={titleId}
        aria-busy={list === 'loading'}
        onKeyDown={ignoreHeldEnter}
        data-focus-fallback
      >
        {drawings}
        <header className="header" part="header">
          <h1 id={titleId} part="title">
            {texts.title}
          </h1>
          <button
            type="button"
            className="add"
            part="add-button"
            title={texts.add}
            aria-label={texts.add}
            aria-haspopup="dialog"
            onClick={() => setDialog({ kind: 'add' })}
          >
            {plusIcon}
          </button>
        </header>

        <div ref={main} className="main" part="main">
          <Alerts alerts={alerts} />
          <h2 tabIndex={-1}>{texts.sessions}</h2>
          {connectionNotice && !connected && <ConnectionNotice />}
          <SessionList revealed={revealed} view={view} order={order} />
        </div>

        <footer className="footer" part="footer">
          {texts.footer(provider, new Date().getFullYear())}
        </footer>

        <datalist id={DESTINATIONS}>{destination && <option value={destination} />}</datalist>

        {list === 'loading' && <LoadingOverlay onRetry={() => store.fetch()} />}
        <SessionMenu />
        <LiveLayer
          live={
            <>
              <Announcer alerts={alerts} />
              <Notices timeout={notificationTimeout} position={notificationPosition} dialog={dialog} />
            </>
          }
        >
          {dialog?.kind === 'add' && <AddDialog onAdded={reveal} onClose={close} />}
          {dialog?.kind === 'question' && (
            <ConfirmDialog
              {...dialog}
              onConfirm={() => {
                close();
                dialog.onConfirm();
              }}
              onCancel={close}
            />
          )}
          {dialog?.kind === 'code' && <CodeDialog numero={dialog.numero} onClose={close} />}
          {dialog?.kind === 'shortcuts' && <ShortcutsDialog onClose={close} />}
          {dialog?.kind === 'link' && <LinkDialog numero={dialog.numero} onClose={close} />}
          {dialog?.kind === 'history' && <HistoryDialog numero={dialog.numero} onClose={close} />}
        </LiveLayer>
      </section>
    </PanelContext>
  );
}

/** Replaces the screen when it failed to render. The title stays, so that one sees what it was. */
function Crashed({ onRetry }: { onRetry: () => void }) {
  const titleId = useId();
  return (
    <section className="panel" lang="es" dir="ltr" aria-labelledby={titleId}>
      <header className="header">
        <h1 id={titleId}>{texts.title}</h1>
      </header>
      <div className="main">
        <MessageBox action={texts.retry} onAction={onRetry}>
          <p role="alert">{texts.crashed}</p>
        </MessageBox>
      </div>
    </section>
  );
}
