import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Fault, Faults } from './faults.ts';
import type { AckLevel, Listener, World } from './world.ts';

/** An event of Socket.IO, nested too deeply; of other feeds, no event at all. */
const NESTED = `42["connection.update",${'['.repeat(500_000)}`;

/** What a test does to a stand-in: as the phones' owners, as the operator of the server, or as bad luck. */
export type Command =
  | { readonly do: 'scan' | 'type'; readonly phone: string; readonly code: string }
  /** Codes are compared once the passkey has signed, or need not be. */
  | {
      readonly do: 'scanWithPasskey';
      readonly phone: string;
      readonly code: string;
      readonly comparesCodes: boolean;
    }
  | { readonly do: 'create'; readonly name: string; readonly phone?: string }
  | {
      readonly do: 'start' | 'stop' | 'logOut' | 'loseLine' | 'recoverLine' | 'remove';
      readonly name: string;
    }
  | { readonly do: 'renewCode' | 'endCodes'; readonly name: string }
  | { readonly do: 'stopFor'; readonly name: string; readonly reason: 'restricted' | 'passkey' }
  /** WhatsApp restricts a connected account until then, in milliseconds since 1970, or no longer; told by an event. */
  | { readonly do: 'limit'; readonly name: string; readonly until?: number }
  /** Shows this as the session's code. */
  | { readonly do: 'showCode'; readonly name: string; readonly code: string }
  /** Creates so many sessions, whose names are numbers from this one on. */
  | { readonly do: 'crowd'; readonly first: number; readonly count: number }
  | { readonly do: 'absent'; readonly phone: string }
  | { readonly do: 'ack'; readonly name: string; readonly id: string; readonly level: AckLevel }
  | { readonly do: 'faults'; readonly faults: readonly Fault[] }
  /** Events are no longer sent, although the feed stays open. */
  | { readonly do: 'mute'; readonly muted: boolean }
  /** Events no longer say whose phone is linked: the list alone does. */
  | { readonly do: 'hideOwners'; readonly hidden: boolean }
  /** WhatsApp cannot be reached, or is reached again. */
  | { readonly do: 'outage'; readonly isOut: boolean }
  /** A deleted session that lives on shows a code, or its codes end. */
  | { readonly do: 'haunt'; readonly name: string; readonly areCodesOver: boolean }
  /** A restart is answered before it begins. */
  | { readonly do: 'restartLate'; readonly isLate: boolean }
  /** Sends so many pings over each open feed. */
  | { readonly do: 'ping'; readonly times: number }
  /** Sends so many events that are nested too deeply. */
  | { readonly do: 'sendNested'; readonly times: number }
  /** Closes the feeds that are open. */
  | { readonly do: 'dropFeeds' };

interface Controlled {
  readonly world: World;
  readonly listener: Listener;
  readonly faults: Faults;
  /** Removes a session as this server does; by default, it is gone at once. */
  remove?(name: string): void;
  mute(muted: boolean): void;
  hideOwners?(hidden: boolean): void;
  restartLate?(isLate: boolean): void;
  setOutage?(isOut: boolean): void;
  haunt?(name: string, areCodesOver: boolean): void;
  dropFeeds(): void;
}

/** Serves the commands, and what the phones have received. */
export function control(app: FastifyInstance, controlled: Controlled): void {
  const { world, listener, faults, remove, mute, hideOwners, dropFeeds } = controlled;
  const feeds = new Set<Duplex>();
  app.server.on('upgrade', (_request, socket) => {
    feeds.add(socket);
    socket.once('close', () => feeds.delete(socket));
  });
  app.get('/_/messages', () => world.messages);
  app.get('/_/devices', () => [...world.devices]);
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
      case 'scanWithPasskey':
        world.scanWithPasskey(command.phone, command.code, command.comparesCodes);
        break;
      case 'create':
        world.create(command.name, command.phone).start();
        break;
      case 'remove':
        if (remove) remove(command.name);
        else world.remove(command.name);
        break;
      case 'logOut':
        world.logOut(sessionOf(command.name));
        break;
      case 'showCode':
        sessionOf(command.name).show(command.code);
        break;
      case 'crowd':
        for (let number = command.first; number < command.first + command.count; number++)
          world.create(String(number));
        break;
      case 'stopFor':
        sessionOf(command.name).stopFor(command.reason);
        break;
      case 'limit':
        sessionOf(command.name).limitedUntil = command.until;
        listener.limited?.(sessionOf(command.name));
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
      case 'hideOwners':
        hideOwners?.(command.hidden);
        break;
      case 'outage':
        controlled.setOutage?.(command.isOut);
        break;
      case 'haunt':
        controlled.haunt?.(command.name, command.areCodesOver);
        break;
      case 'restartLate':
        controlled.restartLate?.(command.isLate);
        break;
      case 'ping':
        sendToAll(Buffer.from('8900'.repeat(command.times), 'hex'));
        break;
      case 'sendNested':
        for (let times = 0; times < command.times; times++) sendToAll(textFrame(NESTED));
        break;
      case 'dropFeeds':
        dropFeeds();
        break;
      default:
        sessionOf(command.name)[command.do]();
    }
  }

  function sendToAll(frames: Buffer): void {
    for (const feed of feeds) feed.write(frames);
  }

  function sessionOf(name: string) {
    const session = world.sessions.get(name);
    if (!session) throw new Error(`there is no session ${name}`);
    return session;
  }
}

/** Returns the frame of a WebSocket server with a long text. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}
