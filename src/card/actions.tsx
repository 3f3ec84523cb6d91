import { usePanel } from '../context/panel-context.ts';
import { askToDelete } from '../context/questions.ts';
import * as texts from '../texts.ts';
import { useBusy } from '../ui/busy.ts';
import { Button } from '../ui/button.tsx';
import type { NumeroProps } from './advice.tsx';

/** Starts a session, or deletes it. */
export function Actions({ numero, titleId }: NumeroProps) {
  const panel = usePanel();
  const [starting, start] = useBusy();
  const { t, may } = panel;
  const mayStart = may('start');
  const mayDelete = may('delete');
  return (
    (mayStart || mayDelete) && (
      <div className="actions">
        {mayStart && (
          <Button
            part="button start-button"
            aria-describedby={titleId}
            aria-disabled={starting}
            onClick={() => start(() => panel.store.up(numero))}
          >
            {t(texts.start)}
          </Button>
        )}
        {mayDelete && (
          <Button
            className="danger"
            part="button delete-button"
            aria-describedby={titleId}
            aria-haspopup="dialog"
            onClick={() => askToDelete(panel, numero)}
          >
            {t(texts.deleteSession)}
          </Button>
        )}
      </div>
    )
  );
}
