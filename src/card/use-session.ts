import { useCallback, useSyncExternalStore } from 'react';
import { usePanel } from '../panel-context.ts';
import type { SessionRecord } from '../session/session-map.ts';

/** What is known of one session, live. A push about another one does not render the caller. */
export function useSession(numero: string): SessionRecord | undefined {
  const { store, renderQueue } = usePanel();
  const watch = useCallback(
    (render: () => void) => {
      const stop = store.watch(numero, () => renderQueue.add(numero, render));
      return () => {
        stop();
        renderQueue.delete(render);
      };
    },
    [store, renderQueue, numero],
  );
  return useSyncExternalStore(watch, () => store.get(numero));
}
