import { usePanel } from '../panel-context.ts';
import * as texts from '../texts.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface Props {
  readonly numero: string;
  readonly onClose: () => void;
}

/** Asks before a session is deleted (spec §5). */
export function DeleteDialog({ numero, onClose }: Props) {
  const { store } = usePanel();
  return (
    <ConfirmDialog
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
