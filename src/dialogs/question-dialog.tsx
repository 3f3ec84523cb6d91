import { type Question, usePanel } from '../context/panel-context.ts';
import * as texts from '../texts/sentences.ts';
import type { Sentence } from '../texts/translate.ts';
import { ConfirmDialog, useClose } from './modal.tsx';

/** Makes a call once the operator has confirmed it. */
export function QuestionDialog({ call, numero }: { readonly call: Question; readonly numero: string }) {
  const { store, t } = usePanel();
  const close = useClose();
  const { extensions } = store.snapshot.get();
  const names: Sentence[] = extensions.has('details') ? [texts.deleteNames] : [];
  const questions: Record<Question, readonly [title: Sentence, confirm: Sentence, ...message: Sentence[]]> = {
    delete: [texts.deleteTitle, texts.deleteConfirm, texts.deleteMessage, ...names],
    unlink: [texts.unlinkTitle, texts.unlink, texts.unlinkMessage],
  };
  const [title, confirm, ...message] = questions[call];
  return (
    <ConfirmDialog
      title={title}
      numero={numero}
      message={message.map((sentence) => t(sentence)).join('. ')}
      confirm={t(confirm)}
      needs={call}
      onConfirm={() => {
        close();
        void store.run(call, numero);
      }}
    />
  );
}
