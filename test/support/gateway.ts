import { executeServerCommand } from '@web/test-runner-commands';
import type { PhoneFault } from '../../demo/gateway/simulated/faults.ts';
import type { PhoneMessage } from '../../demo/gateway/simulated/inbox.ts';
import type { ReportedState } from '../../demo/gateway/simulated/reported-states.ts';
import type { Fault } from './faults.ts';
import type { GatewayLab, GatewayOptions, Handshake, Push, ReceivedRequest } from './gateway-lab.ts';
import type { GatewayCall } from './gateway-plugin.ts';

/** Which requests a fault is about. */
type Requests = Pick<Fault, 'method' | 'path' | 'times'>;

/** An answer to give instead of the gateway's; `json` is the body with its content type. */
interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly json?: unknown;
  readonly delayMs?: number;
}

/** What a person can do with a simulated phone, and see on it. What a phone refuses rejects. */
interface Phone {
  /** Scans a code: the one that is valid now, unless told which. */
  scan(code?: string): Promise<void>;
  /** Removes the session from the phone's linked devices. */
  unlink(): Promise<void>;
  loseLine(): Promise<void>;
  recoverLine(): Promise<void>;
  /**
   * Makes something go wrong from the next thing on that the phone does; `null` mends it, and what was held up by
   * it goes on: a session stuck after the scan is ready, a deletion under way ends.
   */
  trouble(trouble: PhoneFault | null): Promise<void>;
  /** Has WhatsApp report a state, which reaches the panels as `session:change_state`. */
  report(state: ReportedState): Promise<void>;
  /** The code that it could scan now. */
  code(): Promise<string | null>;
  /** What it has received, the oldest first. */
  messages(): Promise<PhoneMessage[]>;
}

const started = new Set<Gateway>();

/** Starts a real gateway that lets this page in. It is stopped after the test. */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const { id, url } = await call('start', { allowOrigins: [location.origin], ...options });
  const gateway = new Gateway(id, url);
  started.add(gateway);
  return gateway;
}

/** Stops all gateways that are still running. */
export async function stopGateways(): Promise<void> {
  await Promise.all([...started].map((gateway) => gateway.stop()));
}

/** A real gateway on loopback, as a test handles it. */
export class Gateway {
  readonly #id: string;
  /** Its origin. */
  readonly url: string;

  constructor(id: string, url: string) {
    this.#id = id;
    this.url = url;
  }

  /** Cuts all connections; its port refuses new ones. */
  async stop(): Promise<void> {
    started.delete(this);
    await call('stop', this.#id);
  }

  /** Starts it anew on the same port, after stopping it if need be. Faults and the log of requests stay. */
  async restart(options: GatewayOptions = {}): Promise<void> {
    await call('restart', this.#id, { allowOrigins: [location.origin], ...options });
    started.add(this);
  }

  /** Gives an answer of the test's own to some requests. */
  async answer(requests: Requests, answer: Answer): Promise<void> {
    await this.#fault({ ...requests, delayMs: answer.delayMs, answer: inFull(answer) });
  }

  /** Cuts the connection of some requests without an answer. */
  async cut(requests: Requests): Promise<void> {
    await this.#fault({ ...requests, destroy: true });
  }

  /**
   * Keeps some requests waiting until the function that it gives is called. Then they are answered as told, else as
   * they would have been without it. The function waits for the first of them.
   */
  async hold(requests: Requests, answer?: Omit<Answer, 'delayMs'>): Promise<() => Promise<void>> {
    const faultId = await this.#fault({ ...requests, hold: true, answer: answer && inFull(answer) });
    return () => call('release', this.#id, faultId);
  }

  /** Everything is answered as usual again. */
  async liftFaults(): Promise<void> {
    await call('liftAll', this.#id);
  }

  /** Pushes any event to every panel, with any payload; Socket.IO lets a name be a number. */
  async push(event: string | number, ...payload: unknown[]): Promise<void> {
    await this.pushAll([[event, ...payload]]);
  }

  /** Makes several such pushes at once, with nothing in between. */
  async pushAll(pushes: readonly Push[]): Promise<void> {
    await call('push', this.#id, pushes);
  }

  /** Disconnects every panel, as a server does on purpose. */
  async disconnectSockets(): Promise<void> {
    await call('disconnectSockets', this.#id);
  }

  /** Sends a text as it is over the WebSocket of every panel; gives how many there are. */
  async sendRaw(text: string): Promise<number> {
    return call('sendRaw', this.#id, text);
  }

  /** Ends the next WebSocket as soon as its client stops polling for it. */
  async cutUpgrade(): Promise<void> {
    await call('cutUpgrade', this.#id);
  }

  async socketCount(): Promise<number> {
    return call('socketCount', this.#id);
  }

  /** What each socket that connected said of itself, the oldest first. */
  async handshakes(): Promise<Handshake[]> {
    return call('handshakes', this.#id);
  }

  /** The requests that it has received, the oldest first; preflights left out. */
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
      unlink: () => call('act', this.#id, numero, 'unlink'),
      loseLine: () => call('act', this.#id, numero, 'loseLine'),
      recoverLine: () => call('act', this.#id, numero, 'recoverLine'),
      trouble: (trouble) => call('trouble', this.#id, numero, trouble),
      report: (state) => call('report', this.#id, numero, state),
      code: () => call('code', this.#id, numero),
      messages: () => call('messages', this.#id, numero),
    };
  }

  #fault(fault: Fault): Promise<string> {
    return call('fault', this.#id, fault);
  }
}

function inFull({ json, delayMs: _, ...answer }: Answer): Fault['answer'] {
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
