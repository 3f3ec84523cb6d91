import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import type { Server, ServerListener } from '../../src/server/server.ts';
import type { Session } from '../../src/session/session.ts';
import { Store } from '../../src/store.ts';

const open = new Set<Store>();

// A store that waits for something looks at the clock, and would keep the process alive.
afterEach(() => {
  for (const store of open) store.close();
  open.clear();
});

/** A store that has its list, and what speaks for its server, which has no network. It is closed after the test. */
export async function joined(list: readonly Session[], calls: Partial<Server> = {}) {
  let listener: ServerListener | undefined;
  const server: Server = {
    list: async () => [...list],
    start: async (numero) => numero,
    delete: async () => {},
    send: async () => {},
    connect: (joining) => {
      listener = joining;
      return () => {};
    },
    ...calls,
  };
  const store = new Store(server);
  open.add(store);
  await settled();
  assert.ok(listener);
  return { store, listener };
}

/** Resolves when all that was answered at once has been dealt with. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
