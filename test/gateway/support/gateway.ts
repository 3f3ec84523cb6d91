import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { createGateway, type Gateway, type GatewayOptions } from '../../../demo/gateway/gateway.ts';
import type { WireSession } from '../../../src/wire.ts';
import type { Scope } from '../../support/scope.ts';
import { until } from '../../support/until.ts';

/** A numero that no seed has. */
export const NUMERO = '5215550001111';

/** A gateway on a free port, with an empty list unless told otherwise, that ends with the test. */
export async function startGateway(scope: Scope, options: GatewayOptions = {}): Promise<Gateway> {
  const gateway = createGateway({ port: 0, sessions: [], ...options });
  scope.after(() => gateway.close());
  await gateway.listen();
  return gateway;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed, where there is one. */
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

/** The list of sessions. The contract's own tests hold its answer to that type. */
export async function listOf(gateway: Pick<Gateway, 'url'>): Promise<WireSession[]> {
  return (await call(gateway, '/api/session/sessions')).body as WireSession[];
}

/** The session of that numero, as the list has it. */
export async function sessionOf(
  gateway: Pick<Gateway, 'url'>,
  wanted: string,
): Promise<WireSession | undefined> {
  return (await listOf(gateway)).find(({ numero }) => numero === wanted);
}

/** The body of `POST /message`, as the panel sends it (spec §3). */
export function message(remitente: string, contactos: number[], cuerpo = 'Hola') {
  return { mensaje: { cuerpo, contactos }, remitente, autorespuesta: false, ids: [1], encolar: false };
}

/** A socket that is connected, and everything that it was told. */
export class Listener {
  readonly socket: Socket;
  readonly pushes: [name: string, ...payload: unknown[]][] = [];

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.onAny((...push: [string, ...unknown[]]) => this.pushes.push(push));
  }

  static async connect(
    scope: Scope,
    { url }: Pick<Gateway, 'url'>,
    namespace = '/',
    options: Partial<ManagerOptions & SocketOptions> = {},
  ): Promise<Listener> {
    const socket = io(url + namespace, { forceNew: true, ...options });
    scope.after(() => socket.disconnect());
    const listener = new Listener(socket);
    await until(() => socket.connected, `a connection to ${namespace}`);
    return listener;
  }

  /** The payload of the first push of that name, from the `from`th of them on; waits for it to come. */
  heard(name: string, from = 0): Promise<unknown[]> {
    return until(() => this.pushes.filter((push) => push[0] === name)[from]?.slice(1), `the push ${name}`);
  }

  get names(): string[] {
    return this.pushes.map(([name]) => name);
  }
}
