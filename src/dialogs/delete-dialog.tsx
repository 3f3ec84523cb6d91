import type { Store } from '../store.ts';
import { texts } from '../texts.ts';
import { Dialog } from './dialog.tsx';

interface Props {
  readonly store: Store;
  readonly numero: string;
  readonly onClose: () => void;
}

/** Asks before a session is deleted (spec §5). */
export function DeleteDialog({ store, numero, onClose }: Props) {
  return (
    <Dialog
      title={texts.deleteTitle(numero)}
      numero={numero}
      message={texts.deleteMessage}
      confirm={texts.deleteConfirm}
      danger
      onConfirm={() => {
        onClose();
        store.delete(numero);
      }}
      onCancel={onClose}
    />
  );
}
