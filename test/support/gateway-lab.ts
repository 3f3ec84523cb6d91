import type { WebSocket } from 'ws';
import type { PhoneFault } from '../../gateway/src/engines/simulated/faults.ts';
import type { PhoneMessage } from '../../gateway/src/engines/simulated/record.ts';
import { createGateway } from '../../gateway/src/gateway.ts';
import { type Extension, SERVER_EXTENSIONS } from '../../src/wire.ts';
import { type Fault, Faults, pathOf } from './faults.ts';
import { PATIENCE } from './patience.ts';
import { sendRaw } from './send-raw.ts';
import { stablePort } from './stable-port.ts';
import { until } from './until.ts';

type Gateway = ReturnType<typeof createGateway>;

/** The options of `createGateway`, except for the port. */
export interface GatewayOptions extends Omit<NonNullable<Parameters<typeof createGateway>[0]>, 'port'> {
  /** Those that it announces, by default all. Without any it is a server of the plain contract to a panel. */
  readonly extensions?: readonly Extension[];
}

/** A request that a gateway received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
  /** The status of the answer, once it has been sent. */
  status?: number;
}

/** The handshake of a panel's socket. */
export interface Handshake {
  readonly auth: Readonly<Record<string, unknown>>;
  readonly cookie: string | undefined;
}

/** A Socket.IO event and its arguments. */
export type Push = readonly [event: string | number, ...payload: unknown[]];

interface Entry {
  gateway: Gateway;
  readonly port: number;
  readonly faults: Faults;
  readonly requests: ReceivedRequest[];
  readonly handshakes: Handshake[];
}

/** The gateways of one test file; the page calls these methods. */
export class GatewayLab {
  readonly #entries = new Map<string, Entry>();
  #lastId = 0;

  async start(options: GatewayOptions): Promise<{ id: string; url: string }> {
    const faults = new Faults();
    const requests: ReceivedRequest[] = [];
    const handshakes: Handshake[] = [];
    const port = await stablePort();
    const gateway = await listen({ ...options, port }, { faults, requests, handshakes });
    this.#lastId += 1;
    const id = String(this.#lastId);
    this.#entries.set(id, { gateway, port, faults, requests, handshakes });
    return { id, url: gateway.url };
  }

  async stop(id: string): Promise<void> {
    const { faults, gateway } = this.#entry(id);
    faults.liftAll();
    await gateway.close();
  }

  async restart(id: string, options: GatewayOptions): Promise<void> {
    const entry = this.#entry(id);
    await entry.gateway.close();
    entry.gateway = await listen({ ...options, port: entry.port }, entry);
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((id) => this.stop(id)));
  }

  fault(id: string, fault: Fault): string {
    return this.#entry(id).faults.add(fault);
  }

  /** Waits for the first request that a fault holds, and lifts the fault. */
  async release(id: string, faultId: string): Promise<void> {
    const { faults } = this.#entry(id);
    await until(() => faults.hasMet(faultId), 'a request to let go');
    faults.lift(faultId);
  }

  liftAll(id: string): void {
    this.#entry(id).faults.liftAll();
  }

  requests(id: string): ReceivedRequest[] {
    return this.#entry(id).requests;
  }

  handshakes(id: string): Handshake[] {
    return this.#entry(id).handshakes;
  }

  push(id: string, pushes: readonly Push[]): void {
    const { io } = this.#entry(id).gateway;
    for (const push of pushes) Reflect.apply(io.emit, io, [...push]);
  }

  socketCount(id: string): number {
    return this.#entry(id).gateway.io.of('/').sockets.size;
  }

  disconnectSockets(id: string): void {
    this.#entry(id).gateway.io.of('/').disconnectSockets(true);
  }

  /** Sends a raw text over the WebSocket of every panel; returns their number. */
  sendRaw(id: string, text: string): number {
    return sendRaw(this.#entry(id).gateway.io, text);
  }

  /** Closes the next WebSocket during its upgrade. */
  cutUpgrade(id: string): void {
    this.#entry(id).gateway.io.engine.once('connection', (connection) => {
      connection.once('upgrading', (transport: { socket: WebSocket }) => transport.socket.close());
    });
  }

  /** Scans a code with a simulated phone, by default the valid one. */
  scan(id: string, numero: string, code?: string): void {
    const phones = this.#phones(id);
    phones.phone(numero).scan(code ?? phones.get(numero)?.code ?? '');
  }

  act(id: string, numero: string, action: 'logOut' | 'loseLine' | 'recoverLine'): void {
    this.#phones(id).phone(numero)[action]();
  }

  setPhoneFault(id: string, numero: string, fault: PhoneFault | null): void {
    this.#phones(id).setFault(numero, fault);
  }

  /** The code that is valid now. */
  code(id: string, numero: string): string | null {
    return this.#phones(id).get(numero)?.code ?? null;
  }

  messages(id: string, numero: string): PhoneMessage[] {
    return this.#phones(id).get(numero)?.messages ?? [];
  }

  #phones(id: string) {
    const { phones } = this.#entry(id).gateway;
    if (!phones) throw new Error('this gateway has no simulated phones');
    return phones;
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id);
    if (!entry) throw new Error(`there is no gateway ${id}`);
    return entry;
  }
}

async function listen(
  { extensions, ...options }: GatewayOptions & { port: number },
  { faults, requests, handshakes }: Pick<Entry, 'faults' | 'requests' | 'handshakes'>,
): Promise<Gateway> {
  const gateway = createGateway(options);
  if (extensions) announceOnly(gateway, extensions);
  const received = new WeakMap<object, ReceivedRequest>();
  // In preValidation the body has been read.
  gateway.app.addHook('preValidation', async (request, reply) => {
    const { method, headers, body } = request;
    const entry: ReceivedRequest = { method, path: pathOf(request), headers, body };
    received.set(request, entry);
    if (method !== 'OPTIONS') requests.push(entry);
    await faults.meet(request, reply);
  });
  gateway.app.addHook('onResponse', async (request, reply) => {
    const entry = received.get(request);
    if (entry) entry.status = reply.statusCode;
  });
  // A page that stands still while it changes to a WebSocket would lose what is pushed from then on.
  gateway.io.engine.opts.upgradeTimeout = PATIENCE;
  gateway.io.on('connection', ({ handshake: { auth, headers } }) => {
    handshakes.push({ auth, cookie: headers.cookie });
  });
  await gateway.listen();
  return gateway;
}

/** Has it announce these extensions alone, and without any nothing. */
export function announceOnly({ io }: Gateway, extensions: readonly Extension[]): void {
  io.use((socket, next) => {
    const emit = socket.emit.bind(socket);
    socket.emit = (event, ...payload) => {
      if (event !== SERVER_EXTENSIONS) return emit(event, ...payload);
      return extensions.length === 0 || emit(event, { extensions });
    };
    next();
  });
}
