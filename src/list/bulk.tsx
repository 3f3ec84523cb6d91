import type { Selection } from '../card/selection.ts';
import { useObservable, usePanel, useSelector } from '../context/panel-context.ts';
import { restart } from '../context/questions.ts';
import { messageOf } from '../server/http.ts';
import { isIn } from '../session/counts.ts';
import * as texts from '../texts.ts';
import { Button } from '../ui/button.tsx';
import { focusFallback } from '../ui/focus.ts';
import { ignoreSecondClick } from '../ui/guards.ts';
import { type BulkStart, isRunning, numerosAt, textOf } from './bulk-start.ts';
import { type ListState, visibleIn } from './list-view.ts';

interface BarProps {
  readonly state: ListState;
  readonly selection: Selection;
  readonly bulk: BulkStart;
}

/** What can be done with the selected sessions. They cannot be deleted together. */
export function BulkBar({ state, selection, bulk }: BarProps) {
  const { numeros, found } = state;
  const panel = usePanel();
  const { store } = panel;
  const selected = useObservable(selection.selected);
  const run = useObservable(bulk.run);
  const restartableCount = useSelector(store.counts, (counts) => counts.restartable);
  const unseen = found ? [...selected].filter((numero) => !found.has(numero)).length : 0;
  const disabled = selected.size === 0 || isRunning(run);

  const selectRestartable = () =>
    selection.add(
      Array.from(store.records).flatMap(({ session, status }) =>
        isIn('restartable', status) ? session.numero : [],
      ),
    );
  const start = () => {
    if (disabled) return;
    const chosen = numeros.filter((numero) => selected.has(numero));
    restart(panel, chosen, () => {
      bulk.start(chosen);
      selection.clear();
    });
  };

  return (
    <div className="bulk">
      <Button className="tonal" onClick={selectRestartable}>
        {texts.selectRestartable(restartableCount)}
      </Button>
      <Button className="tonal" onClick={() => selection.add(visibleIn(state))}>
        {texts.selectVisible}
      </Button>
      <Button className="filled" aria-disabled={disabled} onClick={start}>
        {texts.startSelected(selected.size)}
      </Button>
      <Button className="flat" onClick={selection.clear}>
        {texts.unselect}
      </Button>
      <p role="status">{texts.selected(selected.size, unseen)}</p>
    </div>
  );
}

/** How far the start of many sessions has come, and how each one ended. Screen readers hear its notices instead. */
export function BulkProgress({ bulk }: { bulk: BulkStart }) {
  const panel = usePanel();
  const run = useObservable(bulk.run);
  if (!run) return null;
  const text = textOf(run);
  const failed = numerosAt(run, 'failed');
  const started = numerosAt(run, 'started');
  const running = isRunning(run);
  const retry = (numeros: readonly string[]) => restart(panel, numeros, () => bulk.retry(numeros));

  return (
    // A click meant for one button must not meet another: each has its own place, but a retry moves what is below.
    <div ref={focusFallback} className="bulk" data-focus-fallback onClickCapture={ignoreSecondClick}>
      {running && (
        <div>
          <Button className="tonal" onClick={bulk.stop}>
            {texts.stop}
          </Button>
        </div>
      )}
      <p tabIndex={-1}>{text}</p>
      {running ? (
        <progress aria-label={text} value={failed.length + started.length} max={run.size} />
      ) : (
        <div>
          {failed.length > 0 && (
            <Button className="filled" onClick={() => retry(failed)}>
              {texts.retryFailed(failed.length)}
            </Button>
          )}
          <Button className="flat" onClick={bulk.dismiss}>
            {texts.close}
          </Button>
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <ul aria-label={texts.results} tabIndex={0}>
        {/* Those that failed come first: they are what is left to do. */}
        {failed.map((numero) => (
          <li key={numero} data-asks="act">
            <span>
              {numero}: <b>{messageOf(run.get(numero))}</b>
            </span>
            <div>
              <Button
                className="flat"
                aria-label={`${texts.retry} ${numero}`}
                onClick={() => retry([numero])}
              >
                {texts.retry}
              </Button>
            </div>
          </li>
        ))}
        {started.map((numero) => (
          <li key={numero}>{texts.started(numero)}</li>
        ))}
        {numerosAt(run, 'unanswered').map((numero) => (
          <li key={numero}>
            {numero}: {texts.unanswered}
          </li>
        ))}
      </ul>
    </div>
  );
}
