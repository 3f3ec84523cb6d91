import { texts } from '../texts.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface Props {
  readonly numeros: readonly string[];
  /** How many of them are CONNECTED. */
  readonly connected: number;
  readonly start: () => void;
  readonly onClose: () => void;
}

/** Asks before CONNECTED sessions are started anew, which interrupts them. */
export function RestartDialog({ numeros, connected, start, onClose }: Props) {
  return (
    <ConfirmDialog
      title={texts.restartTitle(numeros)}
      numero={numeros[0]}
      message={texts.restartMessage(connected, numeros.length)}
      confirm={texts.restartConfirm}
      onConfirm={() => {
        onClose();
        start();
      }}
      onCancel={onClose}
    />
  );
}
