import { memo } from 'react';
import { usePanel } from '../panel-context.ts';
import * as texts from '../texts.ts';
import { useBusy } from '../ui/busy.ts';

interface Props {
  readonly numero: string;
  /** The id of what names the session. */
  readonly titleId: string;
}

/** Starts a session, or deletes it. */
export const Actions = memo(function Actions({ numero, titleId }: Props) {
  const { store, askToDelete, restart } = usePanel();
  const [starting, start] = useBusy();
  return (
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
        onClick={() => askToDelete(numero)}
      >
        {texts.deleteSession}
      </button>
    </div>
  );
});
