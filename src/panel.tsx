import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import { DESTINATIONS } from './card/test-message-form.tsx';
import { AddDialog } from './dialogs/add-dialog.tsx';
import { CodeDialog } from './dialogs/code-dialog.tsx';
import { DeleteDialog } from './dialogs/delete-dialog.tsx';
import { HistoryDialog } from './dialogs/history-dialog.tsx';
import type { OpenDialog } from './dialogs/open-dialog.ts';
import { SessionList } from './list/session-list.tsx';
import { Announcer } from './notices/announcer.tsx';
import { LiveLayer } from './notices/live-layer.tsx';
import { Notices } from './notices/notices.tsx';
import type { NoticePosition } from './settings.ts';
import type { Store } from './store.ts';
import { texts } from './texts.ts';
import { Drawings } from './ui/drawings.tsx';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { ignoreHeldEnter } from './ui/guards.ts';
import { PlusIcon } from './ui/icons.tsx';
import { LoadingOverlay } from './ui/loading-overlay.tsx';
import { PlacementContext } from './ui/placement.ts';

/** What the element hands to the view. */
export interface PanelView {
  readonly store: Store;
  /** Which of the servers that the element has joined this is: nothing on the screen outlives its own. */
  readonly server: number;
  /** The company in the footer. */
  readonly provider: string;
  /** In milliseconds; 0 keeps notices until they are closed. */
  readonly notificationTimeout: number;
  readonly notificationPosition: NoticePosition;
  /** How often the element has been put into a page: what is in the top layer falls out of it each time. */
  readonly placement: number;
}

/** The whole screen of spec §2. Outermost is the boundary: what escapes it would reach the host page. */
export function Panel({ view }: { view?: PanelView }) {
  if (!view) return null;
  return (
    <ErrorBoundary
      fallback={(retry) => <Crashed onRetry={retry} />}
      onError={(error) => view.store.report(error, 'render')}
    >
      <PlacementContext value={view.placement}>
        <Screen key={view.server} {...view} />
      </PlacementContext>
    </ErrorBoundary>
  );
}

function Screen({ store, provider, notificationTimeout, notificationPosition }: PanelView) {
  const { list, numeros, destination } = useSyncExternalStore(store.subscribe, store.getSnapshot);
  const [dialog, setDialog] = useState<OpenDialog>();
  const [added, setAdded] = useState<string>();
  const titleId = useId();
  const close = () => setDialog(undefined);
  // Once it has been brought into sight it is a session like the others.
  useEffect(() => {
    if (added !== undefined && numeros.includes(added)) setAdded(undefined);
  }, [added, numeros]);

  return (
    <section
      className="panel"
      lang="es"
      dir="ltr"
      aria-labelledby={titleId}
      aria-busy={list === 'loading'}
      onKeyDown={ignoreHeldEnter}
      data-refuge
    >
      <Drawings />
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
          <PlusIcon />
        </button>
      </header>

      <div className="main" part="main">
        <h2 tabIndex={-1}>{texts.sessions}</h2>
        <SessionList store={store} list={list} numeros={numeros} revealed={added} open={setDialog} />
      </div>

      <footer className="footer" part="footer">
        {texts.footer(provider, new Date().getFullYear())}
      </footer>

      <datalist id={DESTINATIONS}>{destination && <option value={destination} />}</datalist>

      {list === 'loading' && <LoadingOverlay onRetry={() => store.fetch()} />}
      <LiveLayer
        live={
          <>
            <Announcer store={store} />
            <Notices
              board={store.notices}
              timeout={notificationTimeout}
              position={notificationPosition}
              dialog={dialog}
            />
          </>
        }
      >
        {dialog?.kind === 'add' && <AddDialog store={store} onAdded={setAdded} onClose={close} />}
        {dialog?.kind === 'delete' && <DeleteDialog store={store} numero={dialog.numero} onClose={close} />}
        {dialog?.kind === 'code' && (
          <CodeDialog store={store} numero={dialog.numero} open={setDialog} onClose={close} />
        )}
        {dialog?.kind === 'history' && <HistoryDialog store={store} numero={dialog.numero} onClose={close} />}
      </LiveLayer>
    </section>
  );
}

/** Stands for the screen when its rendering failed: the title stays, so that one sees what it was. */
function Crashed({ onRetry }: { onRetry: () => void }) {
  const titleId = useId();
  return (
    <section className="panel" lang="es" dir="ltr" aria-labelledby={titleId}>
      <header className="header">
        <h1 id={titleId}>{texts.title}</h1>
      </header>
      <div className="main">
        <div className="empty" role="alert">
          <p>{texts.crashed}</p>
          <button type="button" className="filled" onClick={onRetry}>
            {texts.retry}
          </button>
        </div>
      </div>
    </section>
  );
}
