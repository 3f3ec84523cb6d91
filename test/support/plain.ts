import { waitFor } from '@testing-library/dom';
import { executeServerCommand } from '@web/test-runner-commands';
import { expect } from 'chai';
import type { WireSession } from '../../src/wire.ts';
import { mount } from './panel.ts';
import type { Chatter, PlainServer } from './plain-server.ts';
import type { PlainServerCall } from './plain-server-plugin.ts';

async function command<Result>(call: PlainServerCall): Promise<Result> {
  const answer = await executeServerCommand<{ result: Result }, PlainServerCall>('plain-server', call);
  return answer.result;
}

const traffic = () => command<ReturnType<PlainServer['traffic']>>({ method: 'traffic', args: [] });

/** Starts a server of the plain contract that says this too. It is closed after the test. */
export async function startPlain(sessions: readonly WireSession[], chatter: Chatter = {}) {
  const url = await command<string>({ start: sessions, chatter });
  return {
    url,
    /** Mounts a panel on it, and waits for the two lists that it asks for at first. */
    async mount(attributes: Parameters<typeof mount>[1] = {}) {
      const panel = await mount(undefined, { 'api-base': `${url}/api`, 'socket-origin': url, ...attributes });
      await this.calls(2);
      return panel;
    },
    traffic,
    /** Waits until that many calls have come. */
    calls: (count: number) =>
      waitFor(async () => expect((await traffic()).calls).to.have.length.at.least(count)),
    /** Sets what the list says of a session, if one is given, and pushes. */
    push: (session: WireSession | undefined, event: string, ...payload: unknown[]) =>
      command<void>({ method: 'push', args: [session, event, ...payload] }),
    /** The same for several of both, in a row. */
    pushAll: (pushes: Chatter['pushes'] = [], sessions: readonly WireSession[] = []) =>
      command<void>({ method: 'pushAll', args: [pushes, sessions] }),
    /** Keeps the answers to requests for the list until the returned function is called. */
    async holdList() {
      await command<void>({ method: 'holdList', args: [true] });
      return () => command<void>({ method: 'holdList', args: [false] });
    },
    /** Disconnects the panel, and waits until it is back. */
    async reconnect() {
      await command<void>({ method: 'disconnectSockets', args: [] });
      await waitFor(async () => expect(await command({ method: 'socketCount', args: [] })).to.equal(1));
    },
  };
}
