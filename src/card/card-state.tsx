import type { Open } from '../dialogs/open-dialog.ts';
import type { Known } from '../session/session-map.ts';
import type { Store } from '../store.ts';
import { Advice } from './advice.tsx';

interface Props {
  readonly store: Store;
  readonly known: Known;
  /** Of what says whose state it is. */
  readonly titleId: string;
  readonly open: Open;
}

/** How a session stands: its state's exact text, whatever the server called it, and what to do about it. */
export function CardState({ store, known: { session, situation }, titleId, open }: Props) {
  return (
    <>
      {session.state !== '' && (
        // Colour and sign say what it asks for.
        <p className="state" part="state" data-asks={situation.asks}>
          {session.state}
        </p>
      )}
      <Advice store={store} session={session} situation={situation} titleId={titleId} open={open} />
    </>
  );
}
