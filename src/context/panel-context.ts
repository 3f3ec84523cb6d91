/** What any component of a panel may need, passed by context. */
import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import { Listeners, Observable, type ObservableMap } from '../observable.ts';
import type { SessionRecord } from '../session/record.ts';
import type { ViewSettings } from '../settings.ts';
import type { Snapshot } from '../store/shared.ts';
import type { Store } from '../store/store.ts';
import type { Translate } from '../texts/translate.ts';
import type { Permission } from '../wire.ts';
import { createCards, type Draft } from './cards.ts';

/** The dialog that is open, and the session that it is about. */
interface OpenDialog {
  readonly kind: 'add' | 'code' | 'history' | 'link' | Question;
  readonly numero?: string;
}

/** The calls that the operator has to confirm. */
export type Question = 'delete' | 'unlink';

/** What the components of a panel share, as long as it shows this store. */
export function createPanelState(store: Store) {
  /** The dialog that is open: another one takes its place. */
  const dialog = new Observable<OpenDialog | undefined>(undefined);
  return {
    store,
    dialog,
    /** Is called with a session that the operator has just added. */
    added: new Listeners<[numero: string]>(),
    // Closing a dialog gives the focus back, wherever it was.
    cards: createCards(store, () => !!dialog.get()),
  };
}

export interface PanelShared extends ReturnType<typeof createPanelState> {
  /** The attributes of the element that concern no server. */
  readonly settings: Observable<Readonly<ViewSettings>>;
  /** How often the element has been put into a page: each time, its dialogs and popovers have to be shown again. */
  readonly placement: Observable<number>;
  /** Returns a sentence as the panel shows it: another function when the page sets other texts. */
  readonly t: Translate;
  /** Whether something is offered: otherwise no control for it is rendered, and nothing that it would show. */
  readonly may: (ability: Ability) => boolean;
}

export const PanelContext = createContext<PanelShared | undefined>(undefined);

/** @throws {Error} outside of a panel. */
export function usePanel(): PanelShared {
  const shared = useContext(PanelContext);
  if (!shared) throw new Error('No panel');
  return shared;
}

export type Selection = ReturnType<typeof createSelection>;

export function createSelection() {
  const selected = new Observable<ReadonlySet<string>>(new Set());
  const set = (numeros: readonly string[]) => selected.set(new Set(numeros));

  return {
    selected,
    set,

    toggle(numero: string): void {
      const now = new Set(selected.get());
      if (!now.delete(numero)) now.add(numero);
      selected.set(now);
    },

    add: (numeros: readonly string[]) => set([...selected.get(), ...numeros]),

    clear: () => set([]),
  };
}

export const SelectionContext = createContext<Selection | undefined>(undefined);

/** The selection that the cards take part in; undefined while nothing can be selected. */
export const useSelection = () => useContext(SelectionContext);

/** The value of an observable, live. */
export function useObservable<Value>({ subscribe, get }: Observable<Value>): Value {
  return useSyncExternalStore(subscribe, get);
}

/** What is selected of an observable, live: another part of it renders nothing. */
export function useSelector<Value, Selected>(
  { subscribe, get }: Observable<Value>,
  select: (value: Value) => Selected,
): Selected {
  return useSyncExternalStore(subscribe, () => select(get()));
}

/** What is known of one session, live; undefined while it is not listed. A push about another does not render the caller. */
export function useSession(numero: string): SessionRecord | undefined {
  const { cards, store } = usePanel();
  return useKey(cards, numero, () => store.get(numero));
}

export function useDraft(numero: string): Draft {
  const { drafts } = usePanel().cards;
  return useKey(drafts, numero, () => drafts.get(numero));
}

function useKey<Value>(map: Pick<ObservableMap<object>, 'subscribe'>, key: string, get: () => Value): Value {
  const follow = useCallback((render: () => void) => map.subscribe(key, render), [map, key]);
  return useSyncExternalStore(follow, get);
}

/** What may be offered: what takes the permission of its name, and what takes that for codes. */
export type Ability = Permission | 'pairing' | 'link' | 'passkey';

const OF_CODES: readonly Ability[] = ['pairing', 'link', 'passkey'];

/** What every server has: the rest takes the extension of its name. */
const OF_CONTRACT: readonly Ability[] = ['codes', 'start', 'send', 'delete'];

/** Returns the function that says whether something is offered. A read-only panel offers nothing. */
export function abilitiesIn(
  { extensions, permissions, namedByHost }: Pick<Snapshot, 'extensions' | 'permissions' | 'namedByHost'>,
  readOnly: boolean,
) {
  return (ability: Ability): boolean =>
    !readOnly &&
    (!permissions || permissions.has(OF_CODES.includes(ability) ? 'codes' : ability)) &&
    (OF_CONTRACT.includes(ability) || extensions.has(ability)) &&
    // Names that the host page gives are not to be edited.
    !(ability === 'label' && namedByHost);
}
