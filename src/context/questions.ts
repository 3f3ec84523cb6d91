/** The actions that ask the operator first. */
import * as texts from '../texts.ts';
import { STATES } from '../wire.ts';
import type { PanelShared } from './panel-context.ts';

/** Deletes a session once the operator has confirmed. */
export function askToDelete({ store, t, dialog }: PanelShared, numero: string): void {
  dialog.set({
    kind: 'question',
    numero,
    title: t(texts.deleteTitle, numero),
    message: t(texts.deleteMessage),
    more: store.snapshot.get().extensions.has('details') ? t(texts.deleteNames) : undefined,
    confirm: t(texts.deleteConfirm),
    needs: 'delete',
    onConfirm: () => store.delete(numero),
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
    onConfirm: () => store.unlink(numero),
  });
}

/** Calls `start`: after a question where that interrupts CONNECTED sessions and the host page wants it asked. */
export function restart(
  { store, t, dialog, confirmRestart }: PanelShared,
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
      title: isOne ? `${t(texts.remedies.again)}: ${numeros[0]}` : t(texts.startSelected, numeros.length),
      message: t(isOne ? texts.restartOne : texts.restartSome, connected),
      confirm: t(texts.remedies.start),
      needs: 'start',
      // Starting a session that was deleted meanwhile would bring it back.
      onConfirm: () => numeros.some((one) => store.get(one)) && start(),
    });
}
