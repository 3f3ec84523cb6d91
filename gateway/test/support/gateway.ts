import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import type { WireListItem, WireSession } from '../../../src/wire.ts';
import type { Scope } from '../../../test/support/scope.ts';
import { until } from '../../../test/support/until.ts';
import { createGateway, type Gateway } from '../../src/gateway.ts';
import type { GatewayOptions } from '../../src/gateway-options.ts';
import { isPlain, plain } from './plain.ts';

/** A numero that no seed has. */
export const NUMERO = '5215550001111';

/** Starts a gateway on a free port, by default without sessions, that ends with the test. */
export async function startGateway(scope: Scope, options: GatewayOptions = {}): Promise<Gateway> {
  const gateway = createGateway({ port: 0, sessions: [], name: 'gateway-1', ...options });
  scope.after(() => gateway.close());
  await gateway.listen();
  return gateway;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed, if there is one. */
  body: unknown;
}

/** Calls the gateway; a body is sent as JSON unless it is a string. */
export async function call(
  { url }: Pick<Gateway, 'url'>,
  path: string,
  init: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { method = 'GET', body, headers = {} } = init;
  const response = await fetch(url + path, {
    method,
    headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text && JSON.parse(text) };
}

/** Returns the list of sessions, with their details. The contract's own tests check that it has this type. */
export async function itemsOf(gateway: Pick<Gateway, 'url'>): Promise<WireListItem[]> {
  const { status, body } = await call(gateway, '/api/session/sessions');
  if (status !== 200) throw new Error(`The list was answered ${status}: ${JSON.stringify(body)}`);
  return body as WireListItem[];
}

/** Returns the session of that numero in the list, with its details. */
export async function itemOf(
  gateway: Pick<Gateway, 'url'>,
  wanted: string,
): Promise<WireListItem | undefined> {
  return (await itemsOf(gateway)).find(({ numero }) => numero === wanted);
}

/** Returns the list of sessions, without the fields of extensions. */
export async function listOf(gateway: Pick<Gateway, 'url'>): Promise<WireSession[]> {
  return plain(await itemsOf(gateway));
}

/** Returns the session of that numero in the list, without the fields of extensions. */
export async function sessionOf(
  gateway: Pick<Gateway, 'url'>,
  wanted: string,
): Promise<WireSession | undefined> {
  return (await listOf(gateway)).find(({ numero }) => numero === wanted);
}

/** Returns the body of `POST /message`, as the panel sends it. */
export function message(remitente: string, contactos: number[], cuerpo = 'Hola') {
  return { mensaje: { cuerpo, contactos }, remitente, autorespuesta: false, ids: [1], encolar: false };
}

export type Heard = [name: string, ...payload: unknown[]];

/** A connected socket, with everything that it received. */
export class Listener {
  readonly socket: Socket;
  /** Everything, with the pushes of the contract's extensions. */
  readonly all: Heard[] = [];

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.onAny((...push: Heard) => this.all.push(push));
  }

  /**
   * Connects by WebSocket alone: a change of transports fails on a machine that stands still for ten seconds, and Socket.IO's
   * client then receives nothing until its ping timeout, which loses pushes. The panel handles that itself.
   */
  static async connect(
    scope: Scope,
    { url }: Pick<Gateway, 'url'>,
    namespace = '/',
    options: Partial<ManagerOptions & SocketOptions> = {},
  ): Promise<Listener> {
    const socket = io(url + namespace, { forceNew: true, transports: ['websocket'], ...options });
    scope.after(() => socket.disconnect());
    const listener = new Listener(socket);
    await until(() => socket.connected, `a connection to ${namespace}`);
    return listener;
  }

  /** Resolves with the payload of the first push of that name, not counting the first `from` of them. */
  heard(name: string, from = 0): Promise<unknown[]> {
    return until(() => this.all.filter((push) => push[0] === name)[from]?.slice(1), `the push ${name}`);
  }

  /** The pushes of the contract itself. */
  get pushes(): Heard[] {
    return this.since(0);
  }

  /** Marks this moment, for `since`. */
  get mark(): number {
    return this.all.length;
  }

  /** The pushes of the contract itself after a mark. */
  since(mark: number): Heard[] {
    return this.all.slice(mark).filter(([name]) => isPlain(name));
  }

  get names(): string[] {
    return this.pushes.map(([name]) => name);
  }
}
