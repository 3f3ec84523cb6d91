import { useObservable, usePanel } from '../panel-context.ts';
import { AddDialog } from './add-dialog.tsx';
import { CodeDialog } from './code-dialog.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { HistoryDialog } from './history-dialog.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';

interface Props {
  /** A session was added here. */
  readonly onAdded: (numero: string) => void;
}

/** The dialog that is open, if one is. */
export function Dialogs({ onAdded }: Props) {
  const { dialog } = usePanel();
  const open = useObservable(dialog);
  const close = () => dialog.set(undefined);
  switch (open?.kind) {
    case undefined:
      return null;
    case 'add':
      return <AddDialog onAdded={onAdded} onClose={close} />;
    case 'question':
      return (
        <ConfirmDialog
          {...open}
          onConfirm={() => {
            close();
            open.onConfirm();
          }}
          onCancel={close}
        />
      );
    case 'code':
      return <CodeDialog numero={open.numero} onClose={close} />;
    case 'history':
      return <HistoryDialog numero={open.numero} onClose={close} />;
    case 'link':
      return <LinkDialog numero={open.numero} created={open.created} onClose={close} />;
    case 'shortcuts':
      return <ShortcutsDialog onClose={close} />;
  }
}
