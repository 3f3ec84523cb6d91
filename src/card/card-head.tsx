import type { Open } from '../dialogs/open-dialog.ts';
import type { Store } from '../store.ts';
import { CardState } from './card-state.tsx';
import { CardTitle } from './card-title.tsx';
import { Picture } from './picture.tsx';
import { useSession } from './use-session.ts';

interface Props {
  readonly store: Store;
  readonly numero: string;
  readonly titleId: string;
  readonly open: Open;
}

/** Picture, numero and state of a card. It listens by itself: a push does not render the rest of the card. */
export function CardHead({ store, numero, titleId, open }: Props) {
  const known = useSession(store, numero);
  if (!known) return null;
  return (
    <>
      <div className="picture" part="picture">
        <Picture
          store={store}
          known={known}
          titleId={titleId}
          onEnlarge={() => open({ kind: 'code', numero })}
        />
      </div>
      <div className="identity">
        <CardTitle numero={numero} titleId={titleId} open={open} />
        <CardState store={store} known={known} titleId={titleId} open={open} />
      </div>
    </>
  );
}
