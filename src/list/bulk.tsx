import { type FormEvent, useEffect, useId, useRef } from 'react';
import { explain } from '../card/advice.tsx';
import { GroupOptions } from '../card/group-options.tsx';
import { Numero } from '../card/numero.tsx';
import type { Selection } from '../card/selection.ts';
import { useObservable, usePanel, useSelector, useSession } from '../context/panel-context.ts';
import { copyWithNotice } from '../dialogs/copy-with-notice.ts';
import { messageOf } from '../server/http.ts';
import { bucketsOf } from '../session/counts.ts';
import { nameOf } from '../session/record.ts';
import * as texts from '../texts.ts';
import { Button } from '../ui/button.tsx';
import { focusFallback } from '../ui/focus.ts';
import { ignoreSecondClick } from '../ui/guards.ts';
import { LONGEST_NAME } from '../wire.ts';
import type { Bulk } from './bulk-run.ts';
import { list } from './export.ts';
import { visibleIn } from './items.ts';
import type { ListState } from './list-view.ts';

interface BarProps {
  readonly state: ListState;
  readonly selection: Selection;
  readonly bulk: Bulk;
}

/** What can be done with the selected sessions. They cannot be deleted together. */
export function BulkBar({ state, selection, bulk }: BarProps) {
  const { numeros, found } = state;
  const { store, t, may } = usePanel();
  const selected = useObservable(selection.selected);
  const running = useSelector(bulk.run, bulk.isRunning);
  const counts = useSelector(store.counts, (all) => all);
  const id = useId();
  const visible = visibleIn(state);
  const chosen = numeros.filter((numero) => selected.has(numero));
  // A session that is connected needs no link.
  const linkable = chosen.filter((numero) => store.get(numero)?.status.asks !== 'nothing');
  const unseen = chosen.filter((numero) => found && !found.has(numero)).length;

  const selectRestartable = () =>
    selection.add(
      [...store.records].flatMap(({ session, status }) =>
        bucketsOf(status).includes('restartable') ? session.numero : [],
      ),
    );
  const isDisabled = (some: readonly string[]) => some.length === 0 || running;
  const begin: Bulk['begin'] = (task, some, name) => {
    if (isDisabled(some)) return;
    bulk.begin(task, some, name);
    selection.clear();
  };
  const group = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('group')).trim();
    if (name) begin('label', chosen, name);
  };

  return (
    <div className="bulk">
      {may('start') && (
        <Button className="tonal" onClick={selectRestartable}>
          {t(texts.selectRestartable, counts.restartable)}
        </Button>
      )}
      <Button className="tonal" onClick={() => selection.add(visible)}>
        {t(texts.selectVisible, visible.length)}
      </Button>
      <Button onClick={selection.clear}>{t(texts.unselect)}</Button>
      <p role="status">{t(unseen === 0 ? texts.selected : texts.selectedUnseen, chosen.length, unseen)}</p>
      {may('start') && (
        <Button className="filled" aria-disabled={isDisabled(chosen)} onClick={() => begin('start', chosen)}>
          {t(texts.startSelected, chosen.length)}
        </Button>
      )}
      {may('link') && (
        <Button
          className="tonal"
          aria-disabled={isDisabled(linkable)}
          onClick={() => begin('link', linkable)}
        >
          {t(texts.linkSelected, linkable.length)}
        </Button>
      )}
      {/* Not rendered, it would lose what was typed. */}
      <form ref={focusFallback} hidden={!may('label')} onSubmit={group}>
        <input
          name="group"
          aria-label={t(texts.group)}
          placeholder={t(texts.group)}
          autoComplete="off"
          maxLength={LONGEST_NAME}
          list={id}
        />
        <GroupOptions id={id} />
        <Button type="submit" className="tonal" aria-disabled={isDisabled(chosen)}>
          {t(texts.groupSelected, chosen.length)}
        </Button>
      </form>
    </div>
  );
}

/** How far a run has come, and what became of each session. Screen readers hear the notices of its calls instead. */
export function BulkProgress({ bulk }: { bulk: Bulk }) {
  const { store, t, may } = usePanel();
  const results = useRef<HTMLUListElement>(null);
  const run = useSelector(bulk.run, (now) => now);
  const isAllowed = may(run.task);
  useEffect(() => bulk.follow(), [bulk]);
  useEffect(() => (isAllowed ? bulk.stop : undefined), [bulk, isAllowed]);
  if (!isAllowed || run.steps.size === 0) return null;
  const text = bulk.text();
  const running = bulk.isRunning();
  const failed = bulk.inStage('failed');
  const done = bulk.inStage('done');
  const copy = (button: HTMLButtonElement) => {
    const rows = done.map((numero) => [
      nameOf(store.get(numero)) ?? '',
      numero,
      String(run.steps.get(numero)?.result),
    ]);
    return copyWithNotice(store, list(rows), results.current, button);
  };

  return (
    // A click meant for one button must not meet another: each has its own place, but a retry moves what is below.
    <div ref={focusFallback} className="bulk" data-focus-fallback onClickCapture={ignoreSecondClick}>
      {running && (
        <div>
          <Button className="tonal" onClick={bulk.stop}>
            {t(texts.stop)}
          </Button>
        </div>
      )}
      <p tabIndex={-1}>{text}</p>
      {running ? (
        <progress aria-label={text} value={bulk.ended()} max={run.steps.size} />
      ) : (
        <div>
          {failed.length > 0 && (
            <Button className="filled" onClick={() => bulk.retry(failed)}>
              {t(texts.retryFailed, failed.length)}
            </Button>
          )}
          {run.task === 'link' && done.length > 0 && (
            <Button className="filled" onClick={({ currentTarget }) => copy(currentTarget)}>
              {t(texts.copy)}
            </Button>
          )}
          <Button onClick={bulk.dismiss}>{t(texts.close)}</Button>
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <ul ref={results} aria-label={t(texts.results)} tabIndex={0}>
        {LISTED.flatMap((stage) =>
          bulk
            .inStage(stage)
            .map((numero) => (
              <Result
                key={numero}
                numero={numero}
                isAnswered={stage !== 'unanswered'}
                result={run.steps.get(numero)?.result}
                onRetry={bulk.retry}
              />
            )),
        )}
      </ul>
    </div>
  );
}

/** What is left to do comes first. */
const LISTED = ['failed', 'unanswered', 'done', 'connected'] as const;

interface ResultProps {
  readonly numero: string;
  readonly isAnswered: boolean;
  readonly result: Error | string | undefined;
  readonly onRetry: (numeros: readonly string[]) => void;
}

/** What became of one session, live: the result of its call, or the panel's sentence on a session that was started. */
function Result({ numero, isAnswered, result, onRetry }: ResultProps) {
  const { t } = usePanel();
  const record = useSession(numero);
  const name = nameOf(record);
  const isFailed = result instanceof Error;
  const words = isAnswered ? record && (explain(t, record) ?? record.session.state) : t(texts.unanswered);
  return (
    <li data-asks={isFailed ? 'act' : record?.status.asks}>
      <span>
        {name && <bdi>{name}</bdi>} <Numero numero={numero} />:{' '}
        {isFailed ? <b>{messageOf(result)}</b> : (result ?? words)}
      </span>
      {isFailed && (
        <Button aria-label={`${t(texts.retry)} ${numero}`} onClick={() => onRetry([numero])}>
          {t(texts.retry)}
        </Button>
      )}
    </li>
  );
}
