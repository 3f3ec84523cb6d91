import { useRef } from 'react';
import { useObservable } from '../panel-context.ts';
import { reasonOf } from '../server/http.ts';
import * as texts from '../texts.ts';
import { Buttons } from '../ui/buttons.tsx';
import { useFocusFallback } from '../ui/focus.ts';
import { ignoreSecondClick } from '../ui/guards.ts';
import { type BulkRun, type BulkStart, failedIn, textOf } from './bulk-start.ts';

/** How far the start of many sessions has come, and how each one ended. Screen readers hear its notices instead. */
export function BulkProgress({ bulk }: { bulk: BulkStart }) {
  const run = useObservable(bulk.run);
  return run && <Run bulk={bulk} run={run} />;
}

function Run({ bulk, run }: { bulk: BulkStart; run: BulkRun }) {
  const box = useRef<HTMLDivElement>(null);
  useFocusFallback(box);
  const { total, results, asked, state } = run;
  const text = textOf(run);
  const failed = failedIn(run);
  const ended = state === 'ended';
  // Those that failed come first: they are what is left to do.
  const listed = results.toSorted((one, other) => Number(!one.error) - Number(!other.error));

  return (
    // A click meant for one button must not meet another: they have places of their own, but a retry moves what is below.
    <div ref={box} className="bulk" data-focus-fallback onClickCapture={ignoreSecondClick}>
      {!ended && (
        <Buttons>
          <button type="button" className="tonal" onClick={() => bulk.stop()}>
            {texts.stop}
          </button>
        </Buttons>
      )}
      <p tabIndex={-1}>{text}</p>
      {ended ? (
        <Buttons>
          {failed.length > 0 && (
            <button type="button" className="filled" onClick={() => bulk.retry(failed)}>
              {texts.retryFailed(failed.length)}
            </button>
          )}
          <button type="button" className="flat" onClick={() => bulk.dismiss()}>
            {texts.close}
          </button>
        </Buttons>
      ) : (
        <progress aria-label={text} value={results.length} max={total} />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <ul aria-label={texts.results} tabIndex={0}>
        {listed.map(({ numero, error }) =>
          error ? (
            <li key={numero} data-asks="act">
              <span>
                {numero}: <b>{reasonOf(error)}</b>
              </span>
              <Buttons>
                <button
                  type="button"
                  className="flat"
                  aria-label={`${texts.retry} ${numero}`}
                  onClick={() => bulk.retry([numero])}
                >
                  {texts.retry}
                </button>
              </Buttons>
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
