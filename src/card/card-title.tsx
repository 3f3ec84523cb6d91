import { memo } from 'react';
import type { Open } from '../dialogs/open-dialog.ts';
import { SelectBox } from '../list/select-box.tsx';
import { texts } from '../texts.ts';
import { historyIcon } from '../ui/icons.tsx';

interface Props {
  readonly numero: string;
  /** The id of the title, by which all that is on the card tells whose it is. */
  readonly titleId: string;
  readonly open: Open;
}

/** Whose card it is, the tick while sessions are selected, and the way to what has happened. */
export const CardTitle = memo(function CardTitle({ numero, titleId, open }: Props) {
  return (
    <>
      <SelectBox numero={numero} />
      <h3 id={titleId} tabIndex={-1}>
        {numero}
      </h3>
      <button
        type="button"
        className="icon"
        title={texts.historyTitle(numero)}
        aria-label={texts.historyTitle(numero)}
        aria-haspopup="dialog"
        onClick={() => open({ kind: 'history', numero })}
      >
        {historyIcon}
      </button>
    </>
  );
});
