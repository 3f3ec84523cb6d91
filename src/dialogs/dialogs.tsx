import { useObservable, usePanel } from '../context/panel-context.ts';
import { AddDialog } from './add-dialog.tsx';
import { CodeDialog } from './code-dialog.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { HistoryDialog } from './history-dialog.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { useClose } from './modal.tsx';

/** The dialogs about a session, or about none, that need nothing else. */
const DIALOGS = {
  add: AddDialog,
  code: CodeDialog,
  history: HistoryDialog,
  link: LinkDialog,
};

/** The dialog that is open, if one is. */
export function Dialogs() {
  const open = useObservable(usePanel().dialog);
  const close = useClose();
  if (!open) return null;
  if (open.kind === 'question')
    return (
      <ConfirmDialog
        {...open}
        onConfirm={() => {
          close();
          open.onConfirm();
        }}
      />
    );
  const Dialog = DIALOGS[open.kind];
  return <Dialog numero={open.numero ?? ''} />;
}
