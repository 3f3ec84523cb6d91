/** Rare actions on a session. */
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { usePanel } from '../context/panel-context.ts';
import type { Session } from '../session/session.ts';
import * as texts from '../texts/sentences.ts';
import { Button } from '../ui/button.tsx';
import { icons } from '../ui/icons.tsx';
import { zoomOf } from '../ui/input.ts';
import { STATES } from '../wire.ts';

/** States that only a session with a phone has: another cannot be unlinked, and one that is connected not be linked. */
const LINKED: readonly string[] = [STATES.connected, 'CONFLICT', 'TIMEOUT'];

/** By what they take. */
const ENTRIES = [
  ['start', texts.start],
  ['label', texts.nameAndGroup],
  ['proxy', texts.proxy],
  ['link', texts.sendLink],
  ['unlink', texts.unlink],
  ['delete', texts.deleteSession],
] as const;

interface Props {
  readonly session: Session;
  /** Whether it also has what a card has buttons for. */
  readonly isWhole: boolean;
  /** -1 where another control brings the keyboard to the button. */
  readonly tabIndex: number;
}

/** Pixels that stay free between the menu and the edges of the window. */
const MARGIN = 8;

/**
 * The menu of a session, which has its entries only while it is open, and the button that opens it; nothing where it would be
 * empty.
 */
export function SessionMenu({ session, isWhole, tabIndex }: Props) {
  const { store, t, cards, dialog, may } = usePanel();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { numero, state } = session;
  const title = t(texts.moreActions, numero);
  const impossible = state === STATES.connected ? 'link' : !LINKED.includes(state) && 'unlink';
  const shown = isWhole ? ENTRIES : ENTRIES.slice(1, -1);
  const entries = shown.filter(([name]) => may(name) && name !== impossible);

  useLayoutEffect(() => {
    const menu = box.current;
    if (!isOpen || !menu) return;
    const place = () => button.current && placeAt(menu, button.current);
    place();
    menu.querySelector('button')?.focus();
    const closed = new AbortController();
    // No scroll in the panel is an event of the window.
    for (const target of [menu.getRootNode(), menu.ownerDocument.defaultView])
      for (const type of ['scroll', 'resize'])
        target?.addEventListener(type, place, { capture: true, passive: true, signal: closed.signal });
    return () => closed.abort();
  }, [isOpen]);

  if (entries.length === 0) {
    // It must not be open when entries come back.
    if (isOpen) setOpen(false);
    return null;
  }
  return (
    <>
      <Button
        ref={button}
        className="icon"
        part={undefined}
        title={title}
        aria-haspopup="menu"
        tabIndex={tabIndex}
        popoverTarget={id}
      >
        {icons.more}
      </Button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it is a menu while it is open */}
      <div
        ref={box}
        id={id}
        popover="auto"
        className="menu"
        {...(isOpen && { part: 'menu', role: 'menu', 'aria-label': title })}
        onBeforeToggle={({ newState, currentTarget }) => {
          // Some browsers do not focus a button that is clicked, and Chromium gives the focus back in the page's own tree only.
          if (newState === 'closed' && currentTarget.matches(':focus-within')) button.current?.focus();
          // A move of the panel in the page closes it without an event.
          setOpen(false);
        }}
        onToggle={({ newState }) => setOpen(newState === 'open')}
        onKeyDown={moveFocus}
      >
        {isOpen &&
          entries.map(([name, text]) => (
            <button
              key={name}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={name === 'delete' ? 'danger' : undefined}
              onClick={() => {
                // What it opens gives the focus back to the button.
                box.current?.hidePopover();
                if (name === 'start') void store.run('up', numero);
                else if (name !== 'label' && name !== 'proxy') dialog.set({ kind: name, numero });
                else {
                  cards.update(numero, { editing: name });
                  // Where its form is open already.
                  button.current?.closest('article')?.querySelector<HTMLElement>(`[name=${name}]`)?.focus();
                }
              }}
            >
              {t(text)}
            </button>
          ))}
      </div>
    </>
  );
}

/** The arrows, Home and End move the focus in a menu; Tab and Escape leave it. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget } = event;
  // At Tab the browser moves on from the button, and Escape must not close the row, too.
  if (key === 'Tab' || key === 'Escape') currentTarget.hidePopover();
  if (key === 'Escape') event.preventDefault();
  const items = [...currentTarget.querySelectorAll('button')];
  const index = items.findIndex((item) => item.matches(':focus'));
  const places: Record<string, number> = {
    ArrowDown: (index + 1) % items.length,
    ArrowUp: index - 1,
    Home: 0,
    End: -1,
  };
  const place = places[key];
  if (place === undefined) return;
  event.preventDefault();
  items.at(place)?.focus();
}

/** Below the button, or above it where there is no room, inside the window. */
function placeAt(menu: HTMLElement, button: HTMLElement): void {
  const { clientWidth, clientHeight } = menu.ownerDocument.documentElement;
  const { right, top, bottom } = button.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const within = (position: number, most: number) =>
    `${Math.max(MARGIN, Math.min(position, most - MARGIN)) / zoomOf(menu)}px`;
  const fits = bottom + height + MARGIN <= clientHeight;
  menu.style.left = within(right - width, clientWidth - width);
  menu.style.top = within(fits ? bottom : top - height, clientHeight - height);
}
