import { useId, useLayoutEffect, useRef } from 'react';
import { CardState } from '../card/card-state.tsx';
import { Picture } from '../card/picture.tsx';
import { useSession } from '../card/use-session.ts';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';
import { useBusy } from '../ui/use-busy.ts';
import { STATES } from '../wire.ts';
import { CodeButtons } from './code-buttons.tsx';
import { LinkingSteps } from './linking-steps.tsx';
import { Modal } from './modal.tsx';
import type { Open } from './open-dialog.ts';

interface Props {
  readonly store: Store;
  readonly numero: string;
  readonly open: Open;
  readonly onClose: () => void;
}

/**
 * The code of a session as large as the screen allows, and how to link a phone with it. It stays when the code has
 * been scanned, and says how it goes on.
 */
export function CodeDialog({ store, numero, open, onClose }: Props) {
  const known = useSession(store, numero);
  const session = known?.session;
  const picture = useRef<HTMLDivElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  const stateId = useId();
  const [busy, run] = useBusy();
  // What had the focus may have gone with the code: it must not fall out of the dialog.
  useLayoutEffect(() => {
    const root = close.current?.getRootNode();
    if (root instanceof ShadowRoot && !root.activeElement) close.current?.focus();
  });

  return (
    <Modal title={texts.codeTitle(numero)} numero={numero} onClose={onClose}>
      <div ref={picture} className="large-code">
        {known && <Picture store={store} known={known} titleId={stateId} />}
      </div>
      <div className="code-side">
        <div className="code-state" id={stateId} role="status">
          {known ? <CardState store={store} known={known} titleId={stateId} open={open} /> : texts.notListed}
        </div>
        {session?.state === STATES.disconnected && (
          <button
            type="button"
            className="tonal"
            aria-disabled={busy || undefined}
            onClick={() => run(() => store.up(numero))}
          >
            {texts.anotherCode}
          </button>
        )}
        {session?.qrCode && (
          <>
            <CodeButtons
              store={store}
              numero={numero}
              picture={picture}
              covered={known?.situation.codeLife !== 'fresh'}
            />
            <LinkingSteps numero={numero} />
          </>
        )}
        <div className="dialog-buttons">
          <button ref={close} type="button" className="flat" onClick={onClose}>
            {texts.close}
          </button>
        </div>
      </div>
    </Modal>
  );
}
