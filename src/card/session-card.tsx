/** The card of one session. */
import { memo, useId, useRef } from 'react';
import { usePanel } from '../panel-context.ts';
import { texts } from '../texts.ts';
import { useBusy } from '../ui/busy.ts';
import { useFocusFallback } from '../ui/focus.ts';
import { ignoreSecondClick } from '../ui/guards.ts';
import { historyIcon } from '../ui/icons.tsx';
import { Advice } from './advice.tsx';
import { Picture } from './picture.tsx';
import { Scanned } from './scanned.tsx';
import { SelectBox } from './select-box.tsx';
import { TestMessageForm } from './test-message-form.tsx';
import { useSession } from './use-session.ts';

/** One session: picture, numero and state, test message, actions, in the order of spec §2. */
export const SessionCard = memo(function SessionCard({ numero }: { numero: string }) {
  const { store, openDialog, restart } = usePanel();
  const titleId = useId();
  const card = useRef<HTMLElement>(null);
  const [starting, start] = useBusy();
  useFocusFallback(card);

  return (
    <article
      ref={card}
      className="card"
      part="card"
      data-numero={numero}
      data-focus-fallback
      aria-labelledby={titleId}
      onClickCapture={ignoreSecondClick}
    >
      <Head numero={numero} titleId={titleId} />
      <TestMessageForm numero={numero} titleId={titleId} />
      <div className="actions">
        <button
          type="button"
          className="flat"
          aria-describedby={titleId}
          aria-disabled={starting || undefined}
          onClick={() => restart([numero], () => start(() => store.up(numero)))}
        >
          {texts.start}
        </button>
        <button
          type="button"
          className="flat danger"
          aria-describedby={titleId}
          aria-haspopup="dialog"
          onClick={() => openDialog({ kind: 'delete', numero })}
        >
          {texts.delete}
        </button>
      </div>
    </article>
  );
});

interface HeadProps {
  readonly numero: string;
  /** The id of the title, which names all controls of the card. */
  readonly titleId: string;
}

/** Picture, numero and state. Only this part of a card renders at a push. */
function Head({ numero, titleId }: HeadProps) {
  const record = useSession(numero, 'card');
  if (!record) return null;
  return (
    <>
      <div className="picture" part="picture">
        <Picture record={record} titleId={titleId} />
        <Scanned record={record} />
      </div>
      <div className="identity">
        <Title numero={numero} titleId={titleId} />
        <Advice record={record} titleId={titleId} />
      </div>
    </>
  );
}

/** The numero, the tick while sessions are selected, and the button that opens the history. */
const Title = memo(function Title({ numero, titleId }: HeadProps) {
  const { openDialog } = usePanel();
  return (
    <>
      <SelectBox numero={numero} />
      <h3 id={titleId} tabIndex={-1}>
        {numero}
      </h3>
      <button
        type="button"
        className="icon"
        title={texts.historyTitle(numero)}
        aria-label={texts.historyTitle(numero)}
        aria-haspopup="dialog"
        onClick={() => openDialog({ kind: 'history', numero })}
      >
        {historyIcon}
      </button>
    </>
  );
});
