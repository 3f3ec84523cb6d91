/** Rare actions on a session: a button on each card, and one menu for all cards. */
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import type { Card } from '../context/cards.ts';
import {
  type Ability,
  type OpenMenu,
  type PanelShared,
  useObservable,
  usePanel,
  useSession,
} from '../context/panel-context.ts';
import type { Session } from '../session/session.ts';
import * as texts from '../texts/sentences.ts';
import type { Sentence } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { moreIcon } from '../ui/icons.tsx';
import { zoomOf } from '../ui/input.ts';
import { STATES } from '../wire.ts';

/** States that only a session with a phone has: another cannot be unlinked. */
const LINKED: readonly string[] = [STATES.connected, 'CONFLICT', 'TIMEOUT'];

interface Entry {
  readonly needs: Ability;
  readonly text: Sentence;
  readonly act: (numero: string, panel: PanelShared) => void;
}

const ENTRIES: readonly Entry[] = [
  { needs: 'label', text: texts.nameAndGroup, act: edit('label') },
  { needs: 'proxy', text: texts.proxy, act: edit('proxy') },
  { needs: 'link', text: texts.sendLink, act: (numero, { dialog }) => dialog.set({ kind: 'link', numero }) },
  {
    needs: 'unlink',
    text: texts.unlink,
    act: (numero, { dialog }) => dialog.set({ kind: 'unlink', numero }),
  },
];

function edit(editing: Card['editing']): Entry['act'] {
  return (numero, { cards }) => cards.update(numero, { editing });
}

function entriesFor({ state }: Session, { may }: PanelShared): readonly Entry[] {
  return ENTRIES.filter(({ needs }) => may(needs) && (needs !== 'unlink' || LINKED.includes(state)));
}

/**
 * Opens the menu of a session; nothing where it would be empty.
 *
 * @param tabIndex - -1 where another control brings the keyboard to it
 */
export function MenuButton({ session, tabIndex }: { session: Session; tabIndex?: number }) {
  const panel = usePanel();
  const { t, menu } = panel;
  const { numero } = session;
  return (
    entriesFor(session, panel).length > 0 && (
      <Button
        className="icon"
        part={undefined}
        title={t(texts.moreActions, numero)}
        aria-haspopup="menu"
        tabIndex={tabIndex}
        onClick={(event) => {
          const button = event.currentTarget;
          // The browser closes the one that is open.
          if (menu.get()?.button === button) return;
          event.preventDefault();
          menu.set({ numero, button });
        }}
      >
        {moreIcon}
      </Button>
    )
  );
}

export function SessionMenu() {
  const { menu, placement } = usePanel();
  const placed = useObservable(placement);
  const open = useObservable(menu);
  return open && <Menu key={`${placed} ${open.numero}`} {...open} />;
}

/** Pixels that stay free between the menu and the edges of the window. */
const MARGIN = 8;

function Menu({ numero, button }: OpenMenu) {
  const panel = usePanel();
  const box = useRef<HTMLDivElement>(null);
  const { t, menu } = panel;
  const session = useSession(numero)?.session;
  const entries = session ? entriesFor(session, panel) : [];
  const isEmpty = entries.length === 0;

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    // The focus returns to it, and some browsers do not focus a button that is clicked.
    button.focus();
    // A click on it closes the menu, and does not count as one outside.
    button.popoverTargetElement = element;
    element.showPopover();
    element.querySelector('button')?.focus();
    const place = () => placeAt(element, button);
    place();
    const gone = new AbortController();
    // No scroll in the panel is an event of the window.
    for (const target of [element.getRootNode(), element.ownerDocument.defaultView])
      for (const type of ['scroll', 'resize'])
        target?.addEventListener(type, place, { capture: true, passive: true, signal: gone.signal });
    return () => {
      button.popoverTargetElement = null;
      gone.abort();
    };
  }, [button]);
  useLayoutEffect(() => {
    if (isEmpty) menu.set(undefined);
  }, [menu, isEmpty]);

  return (
    <div
      ref={box}
      popover="auto"
      data-numero={numero}
      className="menu"
      part="menu"
      role="menu"
      aria-label={t(texts.moreActions, numero)}
      // Chromium gives the focus back in the page's own tree only.
      onBeforeToggle={({ newState, currentTarget }) => {
        if (newState === 'closed' && currentTarget.matches(':focus-within')) button.focus();
      }}
      onToggle={({ newState }) => newState === 'closed' && menu.set(undefined)}
      onKeyDown={moveFocus}
    >
      {entries.map(({ needs, text, act }) => (
        <button
          key={needs}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            // What it opens gives the focus back to the button.
            box.current?.hidePopover();
            act(numero, panel);
          }}
        >
          {t(text)}
        </button>
      ))}
    </div>
  );
}

/** The arrows, Home and End move the focus in a menu; Tab leaves it. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget } = event;
  // The browser moves on from the button.
  if (key === 'Tab') currentTarget.hidePopover();
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
