import { useCallback, useSyncExternalStore } from 'react';
import { usePanel } from '../panel-context.ts';
import type { SessionRecord } from '../session/record.ts';

/**
 * What is known of one session, live. A push about another one does not render the caller.
 *
 * @param place - a card may be off the screen, a dialog never is
 */
export function useSession(numero: string, place: 'card' | 'dialog'): SessionRecord | undefined {
  const { store, renderQueue } = usePanel();
  const watch = useCallback(
    (render: () => void) => {
      const card = place === 'card' ? numero : undefined;
      const stop = store.watch(numero, () => renderQueue.add(render, card));
      return () => {
        stop();
        renderQueue.delete(render);
      };
    },
    [store, renderQueue, numero, place],
  );
  return useSyncExternalStore(watch, () => store.get(numero));
}
