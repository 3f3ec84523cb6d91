import { executeServerCommand } from '@web/test-runner-commands';
import type { PhoneFault } from '../../gateway/src/engines/simulated/faults.ts';
import type { PhoneMessage } from '../../gateway/src/engines/simulated/record.ts';
import { type Extension, SERVER_EXTENSIONS } from '../../src/wire.ts';
import type { Fault } from './faults.ts';
import type { GatewayLab, GatewayOptions, Handshake, Push, ReceivedRequest } from './gateway-lab.ts';
import type { GatewayCall } from './gateway-plugin.ts';

/** The requests that a fault affects. */
type Requests = Pick<Fault, 'method' | 'path' | 'times'>;

/** An answer that replaces the gateway's; `json` sets the body and its content type. */
interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly json?: unknown;
}

/** A simulated phone. What it refuses rejects. */
interface Phone {
  /** Scans a code, by default the valid one. */
  scan(code?: string): Promise<void>;
  /** Removes the session from the phone's linked devices. */
  logOut(): Promise<void>;
  loseLine(): Promise<void>;
  recoverLine(): Promise<void>;
  /**
   * Sets a fault from the phone's next action on. `null` lifts it, and what it held up goes on: a session stuck after
   * the scan is ready, a pending deletion ends.
   */
  setFault(fault: PhoneFault | null): Promise<void>;
  /** The code that is valid now. */
  code(): Promise<string | null>;
  /** The messages that it has received, the oldest first. */
  messages(): Promise<PhoneMessage[]>;
}

const started = new Set<Gateway>();

/** Starts a real gateway that allows this page's origin. It is stopped after the test. */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const { id, url } = await call('start', { allowOrigins: [location.origin], ...options });
  const gateway = new Gateway(id, url, options.extensions);
  started.add(gateway);
  return gateway;
}

/** Stops all running gateways. */
export async function stopGateways(): Promise<void> {
  await Promise.all([...started].map((gateway) => gateway.stop()));
}

/** A test's handle of a real gateway on loopback. */
export class Gateway {
  readonly #id: string;
  /** Its origin. */
  readonly url: string;
  /** All unless given. */
  readonly #extensions: readonly Extension[] | undefined;

  constructor(id: string, url: string, extensions: readonly Extension[] | undefined) {
    this.#id = id;
    this.url = url;
    this.#extensions = extensions;
  }

  /** Whether it announces one of these extensions to each panel that connects. */
  announces(...some: Extension[]): boolean {
    return some.some((extension) => this.#extensions?.includes(extension) ?? true);
  }

  /** Closes all connections; its port refuses new ones. */
  async stop(): Promise<void> {
    started.delete(this);
    await call('stop', this.#id);
  }

  /** Restarts it on the same port. Faults and the log of requests stay. */
  async restart(options: GatewayOptions = {}): Promise<void> {
    await call('restart', this.#id, { allowOrigins: [location.origin], ...options });
    started.add(this);
  }

  /** Replaces the answer to some requests. */
  async answer(requests: Requests, answer: Answer): Promise<void> {
    await this.#fault({ ...requests, answer: toFault(answer) });
  }

  /**
   * Holds some requests until the returned function is called; then they get this answer, or the gateway's. The
   * function waits for the first of them.
   */
  async hold(requests: Requests, answer?: Answer): Promise<() => Promise<void>> {
    const faultId = await this.#fault({ ...requests, hold: true, answer: answer && toFault(answer) });
    return () => call('release', this.#id, faultId);
  }

  /** Lifts all faults. */
  async liftFaults(): Promise<void> {
    await call('liftAll', this.#id);
  }

  /** Pushes any event with any payload to every panel. */
  async push(event: string | number, ...payload: unknown[]): Promise<void> {
    await this.pushAll([[event, ...payload]]);
  }

  /** Pushes several events in a row. */
  async pushAll(pushes: readonly Push[]): Promise<void> {
    await call('push', this.#id, pushes);
  }

  /** Announces these to every panel, in place of those before. */
  async announce(...extensions: Extension[]): Promise<void> {
    await this.push(SERVER_EXTENSIONS, { extensions });
  }

  /** Disconnects every panel. */
  async disconnectSockets(): Promise<void> {
    await call('disconnectSockets', this.#id);
  }

  /** Sends a raw text over the WebSocket of every panel; returns their number. */
  async sendRaw(text: string): Promise<number> {
    return call('sendRaw', this.#id, text);
  }

  /** Closes the next WebSocket during its upgrade. */
  async cutUpgrade(): Promise<void> {
    await call('cutUpgrade', this.#id);
  }

  async socketCount(): Promise<number> {
    return call('socketCount', this.#id);
  }

  /** The handshakes of all sockets, the oldest first. */
  async handshakes(): Promise<Handshake[]> {
    return call('handshakes', this.#id);
  }

  /** The requests that it has received without preflights, the oldest first. */
  async requests(method?: string, path?: string): Promise<ReceivedRequest[]> {
    const all = await call('requests', this.#id);
    return all.filter(
      (request) => (!method || request.method === method) && (!path || request.path === path),
    );
  }

  /** The simulated phone with that numero. */
  phone(numero: string): Phone {
    return {
      scan: (code) => call('scan', this.#id, numero, code),
      logOut: () => call('act', this.#id, numero, 'logOut'),
      loseLine: () => call('act', this.#id, numero, 'loseLine'),
      recoverLine: () => call('act', this.#id, numero, 'recoverLine'),
      setFault: (fault) => call('setPhoneFault', this.#id, numero, fault),
      code: () => call('code', this.#id, numero),
      messages: () => call('messages', this.#id, numero),
    };
  }

  #fault(fault: Fault): Promise<string> {
    return call('fault', this.#id, fault);
  }
}

function toFault({ json, ...answer }: Answer): Fault['answer'] {
  if (json === undefined) return answer;
  const headers = { 'content-type': 'application/json', ...answer.headers };
  return { body: JSON.stringify(json), ...answer, headers };
}

type Lab = Pick<GatewayLab, keyof GatewayLab>;

async function call<M extends keyof Lab>(
  method: M,
  ...args: Parameters<Lab[M]>
): Promise<Awaited<ReturnType<Lab[M]>>> {
  const answer = await executeServerCommand<{ result: Awaited<ReturnType<Lab[M]>> }, GatewayCall>('gateway', {
    method,
    args,
  });
  return answer.result;
}
