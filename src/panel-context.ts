/** What every component of a panel may need, by context instead of through the components between. */
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { OpenMenu } from './card/session-menu.tsx';
import type { Question } from './dialogs/questions.ts';
import type { Observable } from './observable.ts';
import type { Store } from './store/store.ts';
import type { Clock } from './ui/clock.ts';
import type { RenderQueue } from './ui/render-queue.ts';
import type { Extension } from './wire.ts';

/** The dialog that is open. The others are about sessions. */
export type OpenDialog =
  | { readonly kind: 'add' | 'shortcuts' }
  | { readonly kind: 'code' | 'history' | 'link'; readonly numero: string }
  | ({ readonly kind: 'question' } & Question);

export interface PanelShared {
  readonly store: Store;
  /** What the server can do beyond the contract. */
  readonly extensions: ReadonlySet<Extension>;
  /** Opens a dialog in place of the one that is open. */
  readonly openDialog: (dialog: OpenDialog) => void;
  /** The menu of a session that is open. */
  readonly menu: Observable<OpenMenu | undefined>;
  /** Deletes a session after a question. */
  readonly askToDelete: (numero: string) => void;
  /** Calls `start`, after a question where that interrupts CONNECTED sessions and the page wants it asked. */
  readonly restart: (numeros: readonly string[], start: () => void) => void;
  /** The sessions whose names are being edited. */
  readonly naming: Observable<ReadonlySet<string>>;
  readonly renderQueue: RenderQueue;
  readonly clock: Clock;
}

export const PanelContext = createContext<PanelShared | undefined>(undefined);

/** @throws {Error} outside of a panel. */
export function usePanel(): PanelShared {
  const shared = useContext(PanelContext);
  if (!shared) throw new Error('No panel');
  return shared;
}

/** The value of an observable, live. */
export function useObservable<Value>({ subscribe, get }: Observable<Value>): Value {
  return useSyncExternalStore(subscribe, get);
}
