/** The actions that ask the operator first. */
import * as texts from '../texts.ts';
import { STATES } from '../wire.ts';
import type { PanelShared } from './panel-context.ts';

/** Milliseconds for which a deletion can be taken back. */
const UNDO_MS = 6_000;

/** Deletes a session once the operator has confirmed. */
export function askToDelete({ store, dialog, undoDelete }: PanelShared, numero: string): void {
  dialog.set({
    kind: 'question',
    numero,
    words: (t) => ({
      title: t(texts.deleteTitle, numero),
      message: t(texts.deleteMessage),
      more: store.snapshot.get().extensions.has('details') ? t(texts.deleteNames) : undefined,
      confirm: t(texts.deleteConfirm),
    }),
    needs: 'delete',
    onConfirm: () => store.delete(numero, undoDelete ? UNDO_MS : 0),
  });
}

/** Unlinks the phone of a session once the operator has confirmed. */
export function askToUnlink({ store, dialog }: PanelShared, numero: string): void {
  dialog.set({
    kind: 'question',
    numero,
    words: (t) => ({
      title: t(texts.unlinkTitle, numero),
      message: t(
        texts.unlinkMessages[store.snapshot.get().extensions.has('unlink-local') ? 'local' : 'remote'],
      ),
      confirm: t(texts.unlink),
    }),
    needs: 'unlink',
    onConfirm: () => store.unlink(numero),
  });
}

/** Calls `start`: after a question where that interrupts CONNECTED sessions and the host page wants it asked. */
export function restart(
  { store, dialog, confirmRestart }: PanelShared,
  numeros: readonly string[],
  start: () => void,
): void {
  const isConnected = (numero: string) => store.get(numero)?.session.state === STATES.connected;
  const connected = confirmRestart ? numeros.filter(isConnected).length : 0;
  const isOne = numeros.length === 1;
  if (connected === 0) start();
  else
    dialog.set({
      kind: 'question',
      numero: isOne ? numeros[0] : undefined,
      words: (t) => ({
        title: isOne ? `${t(texts.remedies.again)}: ${numeros[0]}` : t(texts.startSelected, numeros.length),
        message: t(texts.restartMessages[isOne ? 'only' : connected === 1 ? 'one' : 'many'], connected),
        confirm: t(texts.remedies.start),
      }),
      needs: 'start',
      // Starting a session that was deleted meanwhile would bring it back.
      onConfirm: () => numeros.some((one) => store.get(one)) && start(),
    });
}
