import { usePanel } from '../context/panel-context.ts';
import * as texts from '../texts.ts';
import { Button } from '../ui/button.tsx';
import { Actions } from './actions.tsx';
import type { RecordProps } from './advice.tsx';
import { HistoryEntry } from './history-entry.tsx';
import { Picture } from './picture.tsx';
import { Steps } from './qr-code.tsx';
import { TestMessageForm } from './test-message-form.tsx';

/** How many entries of its history an open row shows. */
const RECENT = 3;

/** What an open row shows below its line: picture or code, what can be done, and what has happened. */
export function RowInside({ record, titleId }: RecordProps) {
  const { t, dialog, drafts, may } = usePanel();
  const { session, history } = record;
  const { numero } = session;
  const { text, to } = drafts.get(numero);
  return (
    <div className="row-inside">
      <div className="picture" part="picture">
        <Picture record={record} titleId={titleId} />
      </div>
      <div>
        {session.qrCode !== undefined && may('codes') && <Steps steps={texts.linkingSteps} numero={numero} />}
        <Actions numero={numero} titleId={titleId} />
      </div>
      <div>
        <ol className="recent">
          {history
            .slice(-RECENT)
            .toReversed()
            .map((entry) => (
              <HistoryEntry key={entry.id} entry={entry} />
            ))}
        </ol>
        <Button
          className="tonal"
          aria-haspopup="dialog"
          aria-label={t(texts.historyTitle, numero)}
          onClick={() => dialog.set({ kind: 'history', numero })}
        >
          {t(texts.history)}
        </Button>
        {may('send') && (
          // What was typed stays in sight.
          <details open={!!(text || to)}>
            <summary>{t(texts.testMessage)}</summary>
            <TestMessageForm numero={numero} titleId={titleId} />
          </details>
        )}
      </div>
    </div>
  );
}
