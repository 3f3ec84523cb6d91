import { type ReactNode, useRef, useSyncExternalStore } from 'react';
import { texts } from '../texts.ts';
import { useFocusKept } from '../ui/focus.ts';
import type { BulkRun, BulkStart } from './bulk-start.ts';

/** How far the start of many sessions has come, and how each one ended. Its notices tell it to screen readers. */
export function BulkProgress({ bulk }: { bulk: BulkStart }) {
  const run = useSyncExternalStore(bulk.subscribe, bulk.getSnapshot);
  return run && <Run bulk={bulk} run={run} />;
}

function Run({ bulk, run: { total, results, asked, state, text } }: { bulk: BulkStart; run: BulkRun }) {
  const box = useRef<HTMLDivElement>(null);
  useFocusKept(box);
  const failed = bulk.failed();
  const ended = state === 'ended';
  // Those that failed come first: they are what is left to do.
  const listed = results.toSorted((one, other) => Number(!one.error) - Number(!other.error));

  return (
    <div ref={box} className="bulk" data-refuge>
      <div className="bulk-row">
        <p tabIndex={-1}>{text}</p>
        {ended && (
          <Buttons>
            {failed.length > 0 && (
              <button type="button" className="filled" onClick={() => bulk.start(failed)}>
                {texts.retryFailed(failed.length)}
              </button>
            )}
            <button type="button" className="flat" onClick={() => bulk.dismiss()}>
              {texts.close}
            </button>
          </Buttons>
        )}
      </div>
      <div className="bulk-row">
        <progress aria-label={text} value={results.length} max={total} />
        {!ended && (
          <Buttons>
            <button type="button" className="tonal" onClick={() => bulk.stop()}>
              {texts.stop}
            </button>
          </Buttons>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <ul aria-label={texts.results} tabIndex={0}>
        {listed.map(({ numero, error }) => (
          <li key={numero} className={error && 'failed'}>
            {error ? texts.result(numero, error.message) : texts.started(numero)}
          </li>
        ))}
        {ended && asked.map((numero) => <li key={numero}>{texts.result(numero, texts.unanswered)}</li>)}
      </ul>
    </div>
  );
}

/** Others come in another place, so that a click meant for one meets none of them; the focus stays near. */
function Buttons({ children }: { children: ReactNode }) {
  const row = useRef<HTMLDivElement>(null);
  useFocusKept(row);
  return <div ref={row}>{children}</div>;
}
