import { Operable, usePanel } from '../panel-context.ts';
import * as texts from '../texts.ts';
import { historyIcon } from '../ui/icons.tsx';
import { MenuButton } from './session-menu.tsx';

/** Opens the history, and the menu. */
export function HeadButtons({ numero }: { numero: string }) {
  const { dialog } = usePanel();
  return (
    <div className="icons">
      <button
        type="button"
        className="icon"
        title={texts.historyTitle(numero)}
        aria-label={texts.historyTitle(numero)}
        aria-haspopup="dialog"
        onClick={() => dialog.set({ kind: 'history', numero })}
      >
        {historyIcon}
      </button>
      <Operable>
        <MenuButton numero={numero} />
      </Operable>
    </div>
  );
}
