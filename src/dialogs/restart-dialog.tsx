import * as texts from '../texts.ts';
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
  const [numero, another] = numeros;
  return (
    <ConfirmDialog
      title={another ? texts.startSelected(numeros.length) : `${texts.remedies.again}: ${numero}`}
      numero={numero}
      message={texts.restartMessage(connected, numeros.length)}
      confirm={texts.remedies.start}
      onConfirm={() => {
        onClose();
        start();
      }}
      onCancel={onClose}
    />
  );
}
