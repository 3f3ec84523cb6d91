import { memo, useId, useRef } from 'react';
import type { Open } from '../dialogs/open-dialog.ts';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';
import { useFocusKept } from '../ui/focus.ts';
import { ignoreSecondClick } from '../ui/guards.ts';
import { useBusy } from '../ui/use-busy.ts';
import { CardHead } from './card-head.tsx';
import { TestMessageForm } from './test-message-form.tsx';

interface Props {
  readonly store: Store;
  readonly numero: string;
  readonly open: Open;
}

/** One session: picture, numero and state, test message, actions, in the order of spec §2. */
export const SessionCard = memo(function SessionCard({ store, numero, open }: Props) {
  const titleId = useId();
  const card = useRef<HTMLElement>(null);
  const [starting, start] = useBusy();
  useFocusKept(card);

  return (
    <article
      ref={card}
      className="card"
      part="card"
      data-numero={numero}
      data-refuge
      aria-labelledby={titleId}
      onClickCapture={ignoreSecondClick}
    >
      <CardHead store={store} numero={numero} titleId={titleId} open={open} />
      <TestMessageForm store={store} numero={numero} titleId={titleId} />
      <div className="actions">
        <button
          type="button"
          className="flat"
          aria-describedby={titleId}
          aria-disabled={starting || undefined}
          onClick={() => start(() => store.up(numero))}
        >
          {texts.start}
        </button>
        <button
          type="button"
          className="flat danger"
          aria-describedby={titleId}
          aria-haspopup="dialog"
          onClick={() => open({ kind: 'delete', numero })}
        >
          {texts.delete}
        </button>
      </div>
    </article>
  );
});
