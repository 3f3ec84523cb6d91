import { type RefObject, useLayoutEffect, useState } from 'react';

/** To be dispatched on a card that is hidden no longer: of what came into it meanwhile the browser tells nothing. */
export const SHOWN = 'shown';

/**
 * Whether the browser renders the card around an element: true on the screen and near it, since cards have
 * `content-visibility: auto`. The browser decides and tells, so there is no observer, margin or scroll listener
 * of our own. One that does not know the property renders all cards, and so does this; a dialog is always rendered.
 */
export function useRendered(element: RefObject<HTMLElement | null>): boolean {
  const [rendered, setRendered] = useState(false);
  useLayoutEffect(() => {
    const inside = element.current;
    if (!inside) return;
    const card = inside.closest('article');
    const listen = (event: Event) => {
      // Its class is that of the page that the panel is in by now, which may be another than the script's.
      if ('skipped' in event) setRendered(event.skipped === false);
    };
    const look = () => setRendered(!card || inside.checkVisibility({ contentVisibilityAuto: true }));
    card?.addEventListener('contentvisibilityautostatechange', listen);
    card?.addEventListener(SHOWN, look);
    look();
    return () => {
      card?.removeEventListener('contentvisibilityautostatechange', listen);
      card?.removeEventListener(SHOWN, look);
    };
  }, [element]);
  return rendered;
}
