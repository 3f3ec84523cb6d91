import { useObservable, usePanel } from '../panel-context.ts';
import { messageOf } from '../server/http.ts';
import * as texts from '../texts.ts';
import { focusFallback } from '../ui/focus.ts';
import { ignoreSecondClick } from '../ui/guards.ts';
import { type BulkRun, type BulkStart, failedIn, textOf } from './bulk-start.ts';

/** How far the start of many sessions has come, and how each one ended. Screen readers hear its notices instead. */
export function BulkProgress({ bulk }: { bulk: BulkStart }) {
  const run = useObservable(bulk.run);
  return run && <Run bulk={bulk} run={run} />;
}

function Run({ bulk, run }: { bulk: BulkStart; run: BulkRun }) {
  const { restart } = usePanel();
  const { total, results, asked, state } = run;
  const retry = (numeros: readonly string[]) => restart(numeros, () => bulk.retry(numeros));
  const text = textOf(run);
  const failed = failedIn(run);
  const ended = state === 'ended';
  // Those that failed come first: they are what is left to do.
  const listed = results.toSorted((one, other) => Number(!one.error) - Number(!other.error));

  return (
    // A click meant for one button must not meet another: they have places of their own, but a retry moves what is below.
    <div ref={focusFallback} className="bulk" data-focus-fallback onClickCapture={ignoreSecondClick}>
      {!ended && (
        <div ref={focusFallback}>
          <button type="button" className="tonal" onClick={() => bulk.stop()}>
            {texts.stop}
          </button>
        </div>
      )}
      <p tabIndex={-1}>{text}</p>
      {ended ? (
        <div ref={focusFallback}>
          {failed.length > 0 && (
            <button type="button" className="filled" onClick={() => retry(failed)}>
              {texts.retryFailed(failed.length)}
            </button>
          )}
          <button type="button" className="flat" onClick={() => bulk.dismiss()}>
            {texts.close}
          </button>
        </div>
      ) : (
        <progress aria-label={text} value={results.length} max={total} />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <ul aria-label={texts.results} tabIndex={0}>
        {listed.map(({ numero, error }) =>
          error ? (
            <li key={numero} data-asks="act">
              <span>
                {numero}: <b>{messageOf(error)}</b>
              </span>
              <div ref={focusFallback}>
                <button
                  type="button"
                  className="flat"
                  aria-label={`${texts.retry} ${numero}`}
                  onClick={() => retry([numero])}
                >
                  {texts.retry}
                </button>
              </div>
            </li>
          ) : (
            <li key={numero}>{texts.started(numero)}</li>
          ),
        )}
        {ended &&
          asked.map((numero) => (
            <li key={numero}>
              {numero}: {texts.unanswered}
            </li>
          ))}
      </ul>
    </div>
  );
}
