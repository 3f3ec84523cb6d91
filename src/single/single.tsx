import { SessionCard } from '../card/session-card.tsx';
import { useObservable, usePanel, useSession } from '../context/panel-context.ts';
import { ConnectionNotice } from '../list/bar.tsx';
import { ListFailed, LoadingOverlay } from '../list/grid.tsx';
import { reasonOf } from '../server/errors.ts';
import { failed } from '../session/advice.ts';
import * as texts from '../texts/sentences.ts';
import { Button, useBusy } from '../ui/button.tsx';
import { digitGroups } from '../ui/digits.ts';
import { Empty } from '../ui/empty.tsx';
import { icons } from '../ui/icons.tsx';
import { Late } from '../ui/time.ts';

/** The panel of one session: its card, or what stands in its place. */
export function Single({ numero }: { numero: string }) {
  const panel = usePanel();
  const { list } = useObservable(panel.store.snapshot);
  const { connectionNotice } = useObservable(panel.settings);
  const isListed = useSession(numero) !== undefined;
  return (
    <div className="main alone" part="main">
      {connectionNotice && <ConnectionNotice />}
      {isListed && <SessionCard numero={numero} panel={panel} place="single" />}
      {!isListed && list === 'failed' && <ListFailed />}
      {!isListed && list === 'ready' && <Absent numero={numero} />}
      {/* It is not known yet whether there is something to add. Who retries keeps the focus. */}
      {list === 'loading' && (
        <div className="empty" tabIndex={-1}>
          <LoadingOverlay />
        </div>
      )}
    </div>
  );
}

/** Adds the session, for who may. */
function Absent({ numero }: { numero: string }) {
  const { store, t, may } = usePanel();
  const [busy, run, failure] = useBusy();
  const canAdd = may('start') && numero !== '';

  const add = () =>
    run(async (fail) => {
      const { error } = await store.run('up', numero);
      if (error) fail(failed(t, { what: 'notStarted', message: reasonOf(t, error) }));
    });

  return (
    <Empty
      icon={icons.scan}
      title={t(texts.notLinked)}
      text={failure ?? (canAdd ? may('codes') && t(texts.havePhone) : t(texts.askOthers))}
      isFailure={failure !== undefined}
    >
      {canAdd && (
        <Button className="filled" aria-disabled={busy} onClick={add}>
          {t(texts.codeTitle, digitGroups(numero).join(' '))}
        </Button>
      )}
      <p role="status">{busy && <Late>{t(texts.outcomes.unanswered)}</Late>}</p>
    </Empty>
  );
}
