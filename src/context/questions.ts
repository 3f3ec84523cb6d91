/** The actions that ask the operator first. */
import * as texts from '../texts/sentences.ts';
import type { PanelShared } from './panel-context.ts';

/** Deletes a session once the operator has confirmed. */
export function askToDelete({ store, t, dialog }: PanelShared, numero: string): void {
  dialog.set({
    kind: 'question',
    numero,
    title: t(texts.deleteTitle, numero),
    message:
      t(texts.deleteMessage) +
      (store.snapshot.get().extensions.has('details') ? `. ${t(texts.deleteNames)}` : ''),
    confirm: t(texts.deleteConfirm),
    needs: 'delete',
    onConfirm: () => store.run('delete', numero),
  });
}

/** Unlinks the phone of a session once the operator has confirmed. */
export function askToUnlink({ store, t, dialog }: PanelShared, numero: string): void {
  dialog.set({
    kind: 'question',
    numero,
    title: t(texts.unlinkTitle, numero),
    message: t(store.snapshot.get().extensions.has('unlink-local') ? texts.unlinkHere : texts.unlinkBoth),
    confirm: t(texts.unlink),
    needs: 'unlink',
    onConfirm: () => store.run('unlink', numero),
  });
}
