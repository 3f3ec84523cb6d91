import { useCallback, useContext, useSyncExternalStore } from 'react';
import type { Entry } from '../session/history.ts';
import type { Known } from '../session/session-map.ts';
import type { Store } from '../store.ts';
import { OutOfSight } from './use-sight.ts';
import { inSight, outOfSight } from './wake-ups.ts';

/** One session and what it asks of the operator, live. A push about another one does not render the caller. */
export function useSession(store: Store, numero: string): Known | undefined {
  return useSyncExternalStore(useWatch(store, numero), () => store.known(numero));
}

/** What has happened to it, live. */
export function useHistory(store: Store, numero: string): readonly Entry[] {
  return useSyncExternalStore(useWatch(store, numero), () => store.history(numero));
}

function useWatch(store: Store, numero: string) {
  const out = useContext(OutOfSight);
  return useCallback(
    (wake: () => void) => {
      const stop = store.watch(numero, () => (out.has(numero) ? outOfSight : inSight).add(wake));
      return () => {
        stop();
        inSight.delete(wake);
        outOfSight.delete(wake);
      };
    },
    [store, numero, out],
  );
}
