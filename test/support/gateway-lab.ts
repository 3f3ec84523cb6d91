import { WebSocket } from 'ws';
import { createGateway } from '../../demo/gateway/gateway.ts';
import type { PhoneFault } from '../../demo/gateway/simulated/faults.ts';
import type { PhoneMessage } from '../../demo/gateway/simulated/inbox.ts';
import type { ReportedState } from '../../demo/gateway/simulated/reported-states.ts';
import { type Fault, Faults, pathOf } from './faults.ts';
import { stablePort } from './stable-port.ts';
import { until } from './until.ts';

type Gateway = ReturnType<typeof createGateway>;

/** As `createGateway` takes them; the port is any free one. */
export type GatewayOptions = Omit<NonNullable<Parameters<typeof createGateway>[0]>, 'port'>;

/** A request of the contract that reached a gateway. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
  /** Of the answer, once it has been sent. */
  status?: number;
}

/** What a panel said of itself when its socket connected. */
export interface Handshake {
  readonly auth: Readonly<Record<string, unknown>>;
  readonly cookie: string | undefined;
}

/** An event of Socket.IO, and its arguments. */
export type Push = readonly [event: string | number, ...payload: unknown[]];

interface Bench {
  gateway: Gateway;
  readonly port: number;
  readonly faults: Faults;
  readonly requests: ReceivedRequest[];
  readonly handshakes: Handshake[];
}

/** The gateways of one test file. Each method is a call that its browser side can make. */
export class GatewayLab {
  readonly #benches = new Map<string, Bench>();
  #lastId = 0;

  async start(options: GatewayOptions): Promise<{ id: string; url: string }> {
    const faults = new Faults();
    const requests: ReceivedRequest[] = [];
    const handshakes: Handshake[] = [];
    const port = await stablePort();
    const gateway = await listen({ ...options, port }, { faults, requests, handshakes });
    this.#lastId += 1;
    const id = String(this.#lastId);
    this.#benches.set(id, { gateway, port, faults, requests, handshakes });
    return { id, url: gateway.url };
  }

  async stop(id: string): Promise<void> {
    const { faults, gateway } = this.#bench(id);
    faults.liftAll();
    await gateway.close();
  }

  async restart(id: string, options: GatewayOptions): Promise<void> {
    const bench = this.#bench(id);
    await bench.gateway.close();
    bench.gateway = await listen({ ...options, port: bench.port }, bench);
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#benches.keys()].map((id) => this.stop(id)));
  }

  fault(id: string, fault: Fault): string {
    return this.#bench(id).faults.add(fault);
  }

  /** Lets go of what a fault holds, once there is something: a request may be on its way yet. */
  async release(id: string, faultId: string): Promise<void> {
    const { faults } = this.#bench(id);
    await until(() => faults.hasMet(faultId), 'a request to let go');
    faults.lift(faultId);
  }

  liftAll(id: string): void {
    this.#bench(id).faults.liftAll();
  }

  requests(id: string): ReceivedRequest[] {
    return this.#bench(id).requests;
  }

  handshakes(id: string): Handshake[] {
    return this.#bench(id).handshakes;
  }

  push(id: string, pushes: readonly Push[]): void {
    const { io } = this.#bench(id).gateway;
    for (const push of pushes) Reflect.apply(io.emit, io, [...push]);
  }

  socketCount(id: string): number {
    return this.#bench(id).gateway.io.of('/').sockets.size;
  }

  disconnectSockets(id: string): void {
    this.#bench(id).gateway.io.of('/').disconnectSockets(true);
  }

  /** Sends a text as it is over the WebSocket of every panel; gives how many there are. */
  sendRaw(id: string, text: string): number {
    const { engine } = this.#bench(id).gateway.io;
    const clients: Record<string, { transport: object }> = Reflect.get(engine, 'clients');
    const webSockets = Object.values(clients)
      .map(({ transport }): unknown => Reflect.get(transport, 'socket'))
      .filter((socket) => socket instanceof WebSocket);
    for (const webSocket of webSockets) webSocket.send(text);
    return webSockets.length;
  }

  /** Ends the next WebSocket as soon as its client stops polling for it. */
  cutUpgrade(id: string): void {
    this.#bench(id).gateway.io.engine.once('connection', (connection) => {
      connection.once('upgrading', (transport: { socket: WebSocket }) => transport.socket.close());
    });
  }

  /** Scans a code with a simulated phone: the one that is valid now, unless told which. */
  scan(id: string, numero: string, code?: string): void {
    const phones = this.#phones(id);
    phones.scan(numero, code ?? phones.get(numero)?.code ?? '');
  }

  act(id: string, numero: string, action: 'unlink' | 'loseLine' | 'recoverLine'): void {
    this.#phones(id)[action](numero);
  }

  trouble(id: string, numero: string, trouble: PhoneFault | null): void {
    this.#phones(id).setFault(numero, trouble);
  }

  report(id: string, numero: string, state: ReportedState): void {
    this.#phones(id).report(numero, state);
  }

  /** The code that a phone could scan now. */
  code(id: string, numero: string): string | null {
    return this.#phones(id).get(numero)?.code ?? null;
  }

  messages(id: string, numero: string): PhoneMessage[] {
    return this.#phones(id).get(numero)?.messages ?? [];
  }

  #phones(id: string) {
    const { phones } = this.#bench(id).gateway;
    if (!phones) throw new Error('this gateway has no simulated phones');
    return phones;
  }

  #bench(id: string): Bench {
    const bench = this.#benches.get(id);
    if (!bench) throw new Error(`there is no gateway ${id}`);
    return bench;
  }
}

async function listen(
  options: GatewayOptions & { port: number },
  { faults, requests, handshakes }: Pick<Bench, 'faults' | 'requests' | 'handshakes'>,
): Promise<Gateway> {
  const gateway = createGateway(options);
  const received = new WeakMap<object, ReceivedRequest>();
  // After the body has been read, so that the log has it, and before the gateway looks at it.
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
  gateway.io.on('connection', ({ handshake: { auth, headers } }) => {
    handshakes.push({ auth, cookie: headers.cookie });
  });
  await gateway.listen();
  return gateway;
}
