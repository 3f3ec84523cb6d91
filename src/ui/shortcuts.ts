import { type RefObject, useEffect, useEffectEvent } from 'react';
import { isElement } from './guards.ts';

/** Actions by `KeyboardEvent.key`. */
type Shortcuts = Readonly<Record<string, () => void>>;

/**
 * Single keys that work while the focus is in the panel, but not while somebody types or a dialog or menu is open. Outside
 * the panel, the keys belong to the host page (WCAG 2.1.4).
 *
 * @param inside - an element of the panel
 */
export function useShortcuts(inside: RefObject<HTMLElement | null>, shortcuts: Shortcuts): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const run = shortcuts[event.key];
    if (!run || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    const panel = inside.current?.closest<HTMLElement>('.panel');
    panel?.addEventListener('keydown', onKey);
    return () => panel?.removeEventListener('keydown', onKey);
  }, [inside]);
}

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    isElement(target) &&
    target.closest('input:not([type="checkbox"]), select, dialog, [role="menu"]') !== null
  );
}
