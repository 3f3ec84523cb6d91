import type { Server, Socket } from 'socket.io';
import {
  CHANGE_STATE,
  eventName,
  MESSAGE_ACK,
  SESSION_CREATED,
  SESSION_DELETED,
  STATES,
  type WireDeleted,
  type WireListItem,
} from '../../../src/wire.ts';
import { numeroKey } from '../numbers.ts';
import { isUnlimited, UNSEEN_CODE, type User, withoutCode } from '../security/users.ts';
import type { Push } from '../sessions/transitions.ts';

/** Those who see the codes of sessions, those who see only the rest, and those who learn what became of messages. */
type Kind = 'codes' | 'rest' | 'acks';

const LEFT = 'Pasó a otro grupo: ya no la ves.';

type Event = [name: string, payload?: unknown];

/**
 * The panels, each of which receives only what its user may see. They are in rooms: for each {@link Kind}, one for all
 * sessions, one for each group and one for each numero of somebody's.
 */
export class Audience {
  readonly #io: Server;
  readonly #get: (numero: string) => WireListItem | undefined;
  /** The groups of sessions, as the panels know them. */
  readonly #groups = new Map<string, string>();
  /** How many panels have users who may not do everything. */
  #limited = 0;

  /** @param get returns the session that is listed under a numero */
  constructor(io: Server, get: (numero: string) => WireListItem | undefined) {
    this.#io = io;
    this.#get = get;
  }

  /** Takes over the groups of sessions that panels may have listed. */
  know(sessions: readonly WireListItem[]): void {
    for (const { numero, group } of sessions) this.#setGroup(numero, group);
  }

  join(socket: Socket, user: User): void {
    void socket.join(roomsOf(user));
    if (isUnlimited(user)) return;
    this.#limited += 1;
    socket.once('disconnect', () => {
      this.#limited -= 1;
    });
  }

  emit(push: Push): void {
    const { event, numero } = push;
    const before = this.#groups.get(numero);
    if (event === 'created') this.#setGroup(numero, push.session.group);
    if (event === 'details' && push.change.group !== undefined) this.#setGroup(numero, push.change.group);
    if (this.#limited === 0) this.#io.emit(...eventOf(push));
    else {
      if (event === 'details') this.#regroup(numero, before);
      this.#emitByRoom(push);
    }
    if (event === 'deleted') this.#setGroup(numero, undefined);
  }

  #emitByRoom(push: Push): void {
    const { event, numero } = push;
    const rooms = roomsFor(numero, this.#groups.get(numero));
    const to = (...kinds: readonly Kind[]) => this.#io.to(kinds.flatMap(rooms));
    switch (event) {
      case 'qr':
        to('codes').emit(...eventOf(push));
        to('rest').emit(...stateOf(numero, UNSEEN_CODE));
        return;
      case 'code':
      case 'passkey':
        to('codes').emit(...eventOf(push));
        return;
      case 'ack':
        to('acks').emit(...eventOf(push));
        return;
      case 'created':
        this.#create(push.session, (kind) => to(kind));
        return;
      case 'authenticated':
        to('codes', 'rest').emit(...eventOf(push));
        // What they know is that there is a code.
        to('rest').emit(...stateOf(numero, this.#get(numero)?.state ?? STATES.authenticating));
        return;
      default:
        to('codes', 'rest').emit(...eventOf(push));
    }
  }

  /** For those who see a session in one of its groups only, it comes or goes. */
  #regroup(numero: string, before: string | undefined): void {
    const after = this.#groups.get(numero);
    if (before === after) return;
    const [left, entered] = [roomsFor(numero, before), roomsFor(numero, after)];
    for (const kind of ['codes', 'rest'] as const) {
      const leaving = this.#io.to(left(kind)).except(entered(kind));
      leaving.emit(eventName('disconnected', numero));
      leaving.emit(SESSION_DELETED, { numero, notice: LEFT } satisfies WireDeleted);
    }
    const session = this.#get(numero);
    if (session) this.#create(session, (kind) => this.#io.to(entered(kind)).except(left(kind)));
  }

  #create(session: WireListItem, to: (kind: Kind) => Pick<Server, 'emit'>): void {
    to('codes').emit(SESSION_CREATED, session);
    to('rest').emit(SESSION_CREATED, withoutCode(session));
  }

  #setGroup(numero: string, group: string | null | undefined): void {
    if (group) this.#groups.set(numero, group);
    else this.#groups.delete(numero);
  }
}

function roomsOf({ rights, scope }: User): string[] {
  if (!rights.has('see')) return [];
  const kinds: readonly Kind[] = [
    rights.has('codes') ? 'codes' : 'rest',
    ...(rights.has('send') ? ['acks' as const] : []),
  ];
  return kinds.flatMap((kind) => {
    if (!scope) return [`${kind} all`];
    const groups = [...scope.groups].map((group) => `${kind} group ${group}`);
    return [...groups, ...[...scope.numeros].map((key) => `${kind} numero ${key}`)];
  });
}

/** Returns the function that returns the rooms of those who see a session. */
function roomsFor(numero: string, group = ''): (kind: Kind) => string[] {
  const key = numeroKey(numero);
  return (kind) => [`${kind} all`, `${kind} group ${group}`, `${kind} numero ${key}`];
}

function stateOf(numero: string, state: string): Event {
  return [CHANGE_STATE, { numero, state }];
}

/** Returns the event name of the contract or its extensions, and the payload. */
export function eventOf(push: Push): Event {
  const { event, numero } = push;
  switch (event) {
    case 'created':
      return [SESSION_CREATED, push.session];
    case 'deleted':
      return [
        SESSION_DELETED,
        {
          numero,
          ...(push.by !== undefined && { notice: `Eliminada por ${push.by}` }),
        } satisfies WireDeleted,
      ];
    case 'details':
      return [eventName(event, numero), push.change];
    case 'code':
      return [eventName(event, numero), push.pairing];
    case 'passkey':
      return [eventName(event, numero), push.passkey];
    case 'ack':
      return [MESSAGE_ACK, push.ack];
    case 'qr':
      return [eventName(event, numero), push.code];
    case 'change_state':
      return stateOf(numero, push.state);
    default:
      return [eventName(event, numero)];
  }
}
