import type { TestRunnerPlugin } from '@web/test-runner-core';
import type { WireSession } from '../../src/wire.ts';
import { type Chatter, PlainServer } from './plain-server.ts';

type Method = 'traffic' | 'push' | 'pushAll' | 'holdList' | 'socketCount' | 'disconnectSockets';

/** A call of a method of the test file's server, or the start of another. */
export type PlainServerCall =
  | { readonly start: readonly WireSession[]; readonly chatter: Chatter }
  | { readonly method: Method; readonly args: readonly unknown[] };

/** The command `plain-server`: a server of the plain contract in the runner's process, one for each test file. */
export function plainServerPlugin(): TestRunnerPlugin<PlainServerCall> {
  const servers = new Map<string, PlainServer>();
  return {
    name: 'plain-server-command',
    async serverStop() {
      await Promise.all([...servers.values()].map((server) => server.close()));
    },
    async executeCommand({ command, payload, session }) {
      if (command !== 'plain-server' || !payload) return undefined;
      if ('start' in payload) {
        await servers.get(session.id)?.close();
        const server = new PlainServer(payload.start, payload.chatter);
        servers.set(session.id, server);
        return { result: await server.listen() };
      }
      const server = servers.get(session.id);
      if (!server) throw new Error('there is no server');
      const result: unknown = await Reflect.apply(server[payload.method], server, [...payload.args]);
      return { result };
    },
  };
}
