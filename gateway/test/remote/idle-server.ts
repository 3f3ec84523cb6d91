import type { RemoteServer } from '../../src/engines/remote/server.ts';

/** A server that does nothing but what the test says. */
export function idleServer(calls: Partial<RemoteServer> = {}): RemoteServer {
  return {
    title: 'The server',
    extensions: [],
    startsAtOnce: 1,
    close() {},
    list: async () => [],
    create: async () => {},
    start: async () => {},
    unlink: async () => true,
    remove: async () => {},
    find: async (_name, digits) => digits,
    send: async () => ({ id: 'A' }),
    ...calls,
  };
}
