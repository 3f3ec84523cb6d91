import type { FastifyInstance } from 'fastify';
import type { Fault, Faults } from './faults.ts';
import type { AckLevel, Listener, World } from './world.ts';

/** What a test does to a stand-in: as the phones' owners, as the operator of the server, or as bad luck. */
export type Command =
  | { readonly do: 'scan' | 'type'; readonly phone: string; readonly code: string }
  | { readonly do: 'create'; readonly name: string; readonly phone?: string }
  | {
      readonly do: 'start' | 'stop' | 'logOut' | 'loseLine' | 'recoverLine' | 'remove';
      readonly name: string;
    }
  | { readonly do: 'renewCode' | 'endCodes'; readonly name: string }
  | { readonly do: 'stopFor'; readonly name: string; readonly reason: 'restricted' | 'passkey' }
  | { readonly do: 'absent'; readonly phone: string }
  | { readonly do: 'ack'; readonly name: string; readonly id: string; readonly level: AckLevel }
  | { readonly do: 'faults'; readonly faults: readonly Fault[] }
  /** Events are no longer sent, although the feed stays open. */
  | { readonly do: 'mute'; readonly muted: boolean }
  /** Closes the feeds that are open. */
  | { readonly do: 'dropFeeds' };

export interface Controlled {
  readonly world: World;
  readonly listener: Listener;
  readonly faults: Faults;
  mute(muted: boolean): void;
  dropFeeds(): void;
}

/** Serves the commands, and what the phones have received. */
export function control(
  app: FastifyInstance,
  { world, listener, faults, mute, dropFeeds }: Controlled,
): void {
  app.get('/_/messages', () => world.messages);
  app.get('/_/sessions', () =>
    [...world.sessions.values()].map(({ name, phase, phone, code }) => ({ name, phase, phone, code })),
  );
  app.post<{ Body: Command }>('/_/', async ({ body }, reply) => {
    run(body);
    return reply.code(204).send();
  });

  function run(command: Command): void {
    switch (command.do) {
      case 'scan':
      case 'type':
        world[command.do](command.phone, command.code);
        break;
      case 'create':
        world.create(command.name, command.phone).start();
        break;
      case 'remove':
        world.remove(command.name);
        break;
      case 'stopFor':
        sessionOf(command.name).stopFor(command.reason);
        break;
      case 'absent':
        world.absent.add(command.phone);
        break;
      case 'ack':
        listener.ack(sessionOf(command.name), command.id, command.level);
        break;
      case 'faults':
        faults.list = command.faults;
        break;
      case 'mute':
        mute(command.muted);
        break;
      case 'dropFeeds':
        dropFeeds();
        break;
      default:
        sessionOf(command.name)[command.do]();
    }
  }

  function sessionOf(name: string) {
    const session = world.sessions.get(name);
    if (!session) throw new Error(`there is no session ${name}`);
    return session;
  }
}
