import { type FormEvent, useEffect, useId, useRef } from 'react';
import { GroupOptions } from '../card/name-form.tsx';
import type { Selection } from '../card/selection.tsx';
import { useObservable, usePanel, useSelector } from '../context/panel-context.ts';
import { bucketsOf } from '../session/counts.ts';
import { nameOf } from '../session/record.ts';
import * as texts from '../texts/sentences.ts';
import { Button } from '../ui/button.tsx';
import { copyWithNotice } from '../ui/clipboard.ts';
import { ignoreSecondClick } from '../ui/input.ts';
import { LONGEST_NAME } from '../wire.ts';
import { type Arrangement, sessionsIn, visibleIn } from './arrange.ts';
import type { Bulk } from './bulk-run.ts';
import { list } from './export.ts';

interface BarProps {
  readonly arrangement: Arrangement;
  readonly selection: Selection;
  readonly bulk: Bulk;
}

/** What can be done with the selected sessions. They cannot be deleted together. */
export function BulkBar({ arrangement, selection, bulk }: BarProps) {
  const { store, t, may } = usePanel();
  const selected = useObservable(selection.selected);
  const running = useSelector(bulk.run, bulk.isRunning);
  const counts = useObservable(store.counts);
  const id = useId();
  const visible = visibleIn(arrangement);
  const items = sessionsIn(arrangement).filter(({ numero }) => selected.has(numero));
  const chosen = items.map(({ numero }) => numero);
  // A session that is connected needs no link.
  const linkable = chosen.filter((numero) => store.get(numero)?.status.asks !== 'nothing');
  const unseen = arrangement.filter.matches ? items.filter(({ visible }) => !visible).length : 0;

  const selectRestartable = () =>
    selection.add(
      [...store.records].flatMap(({ session, status }) =>
        bucketsOf(status).includes('restartable') ? session.numero : [],
      ),
    );
  const isDisabled = (some: readonly string[]) => some.length === 0 || running;
  const group = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('group')).trim();
    if (name) bulk.begin('label', chosen, name);
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
        <Button
          className="filled"
          aria-disabled={isDisabled(chosen)}
          onClick={() => bulk.begin('start', chosen)}
        >
          {t(texts.startSelected, chosen.length)}
        </Button>
      )}
      {may('link') && (
        <Button
          className="tonal"
          aria-disabled={isDisabled(linkable)}
          onClick={() => bulk.begin('link', linkable)}
        >
          {t(texts.linkSelected, linkable.length)}
        </Button>
      )}
      {/* Not rendered, it would lose what was typed. */}
      <form hidden={!may('label')} onSubmit={group}>
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

/** How far a run has come, and what can be done next. Screen readers hear the notices of its calls instead. */
export function BulkProgress({ bulk }: { bulk: Bulk }) {
  const { store, t, may } = usePanel();
  const shownLinks = useRef<HTMLPreElement>(null);
  const { task, total, done } = useObservable(bulk.run);
  const isAllowed = may(task);
  useEffect(() => (isAllowed ? bulk.stop : undefined), [bulk, isAllowed]);
  if (!isAllowed || total === 0) return null;
  const running = bulk.isRunning();
  const rows = [...done].map(([numero, url]) => [nameOf(store.get(numero)) ?? '', numero, url]);
  const links = task === 'link' && !running && list(rows);

  return (
    // A click meant for one button must not meet another.
    <div className="bulk" onClickCapture={ignoreSecondClick}>
      {running && (
        <Button className="tonal" onClick={bulk.stop}>
          {t(texts.stop)}
        </Button>
      )}
      <p tabIndex={-1}>{bulk.text()}</p>
      {links && (
        <>
          <pre ref={shownLinks} className="visually-hidden">
            {links}
          </pre>
          <Button
            className="filled"
            onClick={({ currentTarget }) => copyWithNotice(store, links, shownLinks.current, currentTarget)}
          >
            {t(texts.copy)}
          </Button>
        </>
      )}
      {!running && <Button onClick={bulk.dismiss}>{t(texts.close)}</Button>}
    </div>
  );
}
