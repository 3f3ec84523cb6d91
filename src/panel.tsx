import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { afterPaint } from './context/cards.ts';
import {
  abilitiesIn,
  createPanelState,
  PanelContext,
  type PanelShared,
  useObservable,
  usePanel,
} from './context/panel-context.ts';
import { AddDialog } from './dialogs/add-dialog.tsx';
import { CodeDialog } from './dialogs/code-dialog.tsx';
import { HistoryDialog } from './dialogs/history-dialog.tsx';
import { LinkDialog } from './dialogs/link-dialog.tsx';
import { QuestionDialog } from './dialogs/question-dialog.tsx';
import { AddButton, Connected } from './list/bar.tsx';
import { LoadingOverlay, SessionList } from './list/grid.tsx';
import { Announcer } from './notices/announcer.tsx';
import { Notices } from './notices/notices.tsx';
import { Single } from './single/single.tsx';
import * as texts from './texts/sentences.ts';
import { ErrorBoundary, Failed } from './ui/error-boundary.tsx';
import { keepFocus } from './ui/focus.ts';

export interface PanelProps extends Pick<PanelShared, 'store' | 'settings' | 'placement' | 't'> {
  /** What the store has joined, as a key: another server is another screen. */
  readonly server: string;
  /** The accessible name. It tells the panel apart from others of the page. */
  readonly label: string;
}

/** The panel, in an error boundary: without it a failure to render would reach the host page. */
export function Panel({ panel }: { panel: PanelProps }) {
  return (
    <ErrorBoundary
      fallback={(retry) => <Crashed {...panel} onRetry={retry} />}
      onError={panel.store.reportRendering}
      shown={panel}
    >
      <Screen key={panel.server} {...panel} />
    </ErrorBoundary>
  );
}

function Screen({ store, t, settings, placement, label }: PanelProps) {
  const [own] = useState(() => ({ ...createPanelState(store), settings, placement }));
  const { readOnly, provider } = useObservable(settings);
  const { list, extensions, permissions, notifies, namedByHost } = useObservable(store.snapshot);
  const shared = useMemo(
    () => ({ ...own, t, may: abilitiesIn({ extensions, permissions, namedByHost }, readOnly) }),
    [own, t, extensions, permissions, namedByHost, readOnly],
  );
  useLayoutEffect(() => own.cards.follow(), [own]);
  const [isPainted, setPainted] = useState(false);
  useEffect(() => afterPaint(() => setPainted(true)), []);

  return (
    <PanelContext value={shared}>
      <section
        ref={keepFocus}
        className="panel"
        lang={t(texts.language)}
        dir="ltr"
        aria-label={label}
        aria-busy={list === 'loading'}
      >
        {store.numero === undefined ? (
          <>
            <header className="header" part="header">
              <h1 part="title">{t(texts.title)}</h1>
              <AddButton className="icon add" part="add-button" title={t(texts.add)} />
            </header>

            <div className="main" part="main">
              <hgroup>
                <h2 tabIndex={-1}>{t(texts.sessions)}</h2>
                {list !== 'failed' && <Connected />}
                {notifies && <p className="muted">{t(texts.notifies, notifies)}</p>}
              </hgroup>
              <SessionList />
              <LoadingOverlay />
            </div>

            <footer className="footer muted" part="footer">
              {t(texts.footer, new Date().getFullYear(), provider)}
            </footer>
          </>
        ) : (
          <Single numero={store.numero} />
        )}

        {/* Their effects come first: notices have to be above the dialog that is open. */}
        <Dialogs />
        <div>
          {/* Seen, announced and reachable at any time: a dialog takes it in. */}
          <div className="live">
            {/* They force a layout, which must not delay the first cards. */}
            {isPainted && (
              <>
                <Announcer />
                <ErrorBoundary fallback={() => null} onError={store.reportRendering}>
                  <Notices />
                </ErrorBoundary>
              </>
            )}
          </div>
        </div>
      </section>
    </PanelContext>
  );
}

/** Replaces the screen when it failed to render. The title stays, so that one sees what it was. */
function Crashed(panel: PanelProps & { onRetry: () => void }) {
  const { store, t, label, onRetry } = panel;
  return (
    <section className="panel" lang={t(texts.language)} dir="ltr" aria-label={label}>
      {store.numero === undefined && (
        <header className="header">
          <h1>{t(texts.title)}</h1>
        </header>
      )}
      <div className="main">
        <div className="empty failure">
          <Failed t={t} text={texts.crashed} onRetry={onRetry} />
        </div>
      </div>
    </section>
  );
}

/** The dialogs about a session, or about none, that need nothing else. */
const DIALOGS = {
  add: AddDialog,
  code: CodeDialog,
  history: HistoryDialog,
  link: LinkDialog,
};

function Dialogs() {
  const open = useObservable(usePanel().dialog);
  if (!open) return null;
  const { kind, numero = '' } = open;
  if (kind === 'delete' || kind === 'unlink') return <QuestionDialog call={kind} numero={numero} />;
  const Dialog = DIALOGS[kind];
  return <Dialog numero={numero} />;
}
