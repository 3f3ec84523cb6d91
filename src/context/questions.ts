/** The calls that ask the operator first. */
import type { CallName } from '../server/server.ts';
import type { Ability } from '../store/abilities.ts';
import * as texts from '../texts/sentences.ts';
import type { Sentence } from '../texts/translate.ts';
import type { PanelShared } from './panel-context.ts';

/** Makes a call once the operator has confirmed. */
export function ask(
  { store, t, dialog }: PanelShared,
  call: Extract<CallName, Ability>,
  numero: string,
  title: Sentence,
  message: string,
  confirm: Sentence,
): void {
  dialog.set({
    kind: 'question',
    numero,
    title: t(title, numero),
    message,
    confirm: t(confirm),
    needs: call,
    onConfirm() {
      dialog.set(undefined);
      void store.run(call, numero);
    },
  });
}

export function askToDelete(panel: PanelShared, numero: string): void {
  const { store, t } = panel;
  const names = store.snapshot.get().extensions.has('details') ? `. ${t(texts.deleteNames)}` : '';
  ask(panel, 'delete', numero, texts.deleteTitle, t(texts.deleteMessage) + names, texts.deleteConfirm);
}
