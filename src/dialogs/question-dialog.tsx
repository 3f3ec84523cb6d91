import { type Question, usePanel } from '../context/panel-context.ts';
import * as texts from '../texts/sentences.ts';
import { ConfirmDialog, useClose } from './modal.tsx';

/** Makes a call once the operator has confirmed it. */
export function QuestionDialog({ call, numero }: { readonly call: Question; readonly numero: string }) {
  const { store, t } = usePanel();
  const close = useClose();
  const isDeletion = call === 'delete';
  return (
    <ConfirmDialog
      title={isDeletion ? texts.deleteTitle : texts.unlinkTitle}
      numero={numero}
      question={t(isDeletion ? texts.deleteMessage : texts.unlinkMessage)}
      confirm={t(isDeletion ? texts.deleteConfirm : texts.unlink)}
      needs={call}
      onConfirm={() => {
        close();
        void store.run(call, numero);
      }}
    />
  );
}
