import { useObservable, usePanel } from '../context/panel-context.ts';
import { AddDialog } from './add-dialog.tsx';
import { CodeDialog } from './code-dialog.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { HistoryDialog } from './history-dialog.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { useClose } from './modal.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';

interface Props {
  /** A session was added here. */
  readonly onAdded: (numero: string) => void;
}

/** The dialog that is open, if one is. */
export function Dialogs({ onAdded }: Props) {
  const open = useObservable(usePanel().dialog);
  const close = useClose();
  switch (open?.kind) {
    case undefined:
      return null;
    case 'add':
      return <AddDialog onAdded={onAdded} />;
    case 'question':
      return (
        <ConfirmDialog
          {...open}
          onConfirm={() => {
            close();
            open.onConfirm();
          }}
        />
      );
    case 'code':
      return <CodeDialog numero={open.numero} />;
    case 'history':
      return <HistoryDialog numero={open.numero} />;
    case 'link':
      return <LinkDialog numero={open.numero} />;
    case 'shortcuts':
      return <ShortcutsDialog />;
  }
}
