import { type RefObject, useEffect } from 'react';
import { cardOf } from '../ui/card-of.ts';
import { focusTitle } from '../ui/focus.ts';

/**
 * Gives the focus to the card that a dialog was opened from where what had it has gone meanwhile, and where the card
 * has gone as well, to the title above all cards.
 *
 * @param numero whose card it is; undefined where it was opened from what always stays
 */
export function useReturn(dialog: RefObject<HTMLElement | null>, numero: string | undefined): void {
  useEffect(() => {
    const root = dialog.current?.getRootNode();
    return () => {
      if (numero === undefined || !(root instanceof ShadowRoot) || root.activeElement) return;
      focusTitle(cardOf(root, numero) ?? root.querySelector('.main'));
    };
  }, [dialog, numero]);
}
