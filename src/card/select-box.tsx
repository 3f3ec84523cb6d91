import { createContext, type KeyboardEvent, useContext, useRef, useSyncExternalStore } from 'react';
import * as texts from '../texts.ts';
import type { Selection } from './selection.ts';

/** The selection that the cards take part in; undefined while nothing can be selected. */
export const SelectionContext = createContext<Selection | undefined>(undefined);

/** The tick of a card, while sessions are selected. */
export function SelectBox({ numero }: { numero: string }) {
  const selection = useContext(SelectionContext);
  return selection && <Box selection={selection} numero={numero} />;
}

function Box({ selection, numero }: { selection: Selection; numero: string }) {
  const shift = useRef(false);
  const followShift = ({ shiftKey }: KeyboardEvent) => {
    shift.current = shiftKey;
  };
  const { subscribe, get } = selection.selected;
  const checked = useSyncExternalStore(subscribe, () => get().has(numero));
  return (
    <label className="select-box">
      <input
        type="checkbox"
        aria-label={texts.selectOne(numero)}
        checked={checked}
        readOnly
        // Unlike a change event, a click has the state of Shift; in Firefox, only a click of the mouse.
        onKeyDown={followShift}
        onKeyUp={followShift}
        onClick={({ shiftKey, detail }) =>
          selection.toggle(numero, shiftKey || (detail === 0 && shift.current))
        }
      />
    </label>
  );
}
