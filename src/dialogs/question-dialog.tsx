import { usePanel } from '../context/panel-context.ts';
import * as texts from '../texts/sentences.ts';
import { ConfirmDialog, useClose } from './modal.tsx';

interface Props {
  readonly kind: 'delete' | 'unlink';
  readonly numero: string;
}

/** Makes a call once the operator has confirmed it. */
export function QuestionDialog({ kind, numero }: Props) {
  const { store, t } = usePanel();
  const close = useClose();
  const isDeletion = kind === 'delete';
  const { extensions } = store.snapshot.get();
  const names = extensions.has('details') ? `. ${t(texts.deleteNames)}` : '';
  const unlinked = extensions.has('unlink-local') ? texts.unlinkHere : texts.unlinkBoth;
  return (
    <ConfirmDialog
      title={t(isDeletion ? texts.deleteTitle : texts.unlinkTitle, numero)}
      numero={numero}
      message={isDeletion ? t(texts.deleteMessage) + names : t(unlinked)}
      confirm={t(isDeletion ? texts.deleteConfirm : texts.unlink)}
      needs={kind}
      onConfirm={() => {
        close();
        void store.run(kind, numero);
      }}
    />
  );
}
