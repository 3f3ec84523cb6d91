import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Scope } from '../../../../test/support/scope.ts';
import { stablePort } from '../../../../test/support/stable-port.ts';

/** The key of the receivers. */
const KEY = Buffer.alloc(32, 7);
export const SECRET = `whsec_${KEY.toString('base64')}`;

/** What a receiver is told of one number. */
interface ToldItem {
  readonly numero: string;
  readonly event: string;
}

/** A request of a webhook. */
interface Delivery {
  /** Where it was sent to: gateways with different paths can be told apart. */
  readonly path: string;
  readonly id: string;
  readonly sessions: readonly ToldItem[];
  /** Undefined while it is not answered. */
  status: number | undefined;
}

/** Starts a receiver of webhooks on a port of loopback; it ends with the test. */
export async function startReceiver(scope: Scope): Promise<Receiver> {
  const receiver = new Receiver(await stablePort());
  scope.after(() => receiver.close());
  return receiver.listens();
}

/** Receives notifications, all of which must be signed. */
export class Receiver {
  readonly url: string;
  /** All requests, in the order in which they came. */
  readonly deliveries: Delivery[] = [];
  /** The status of its answers; undefined for none. */
  status: number | undefined = 200;
  readonly #port: number;
  readonly #server: Server;

  constructor(port: number) {
    this.#port = port;
    this.url = `http://127.0.0.1:${port}/avisos`;
    this.#server = createServer(async (request, response) => {
      const delivery = await read(request);
      delivery.status = this.status;
      this.deliveries.push(delivery);
      if (this.status !== undefined) response.writeHead(this.status).end();
    });
  }

  async listens(): Promise<this> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  /** The options of a gateway that tells it, which hurries. */
  get notify() {
    return {
      webhook: { url: this.url, secret: SECRET },
      timings: { poll: 50, groupWait: 0, interval: 0 },
    };
  }

  /** The ids of what it has accepted. */
  get accepted(): Set<string> {
    return new Set(this.deliveries.flatMap(({ id, status }) => (status === 200 ? [id] : [])));
  }

  /** What it was told by what it has accepted, as `event numero`; what came twice by the same id counts once. */
  get told(): string[] {
    const byId = new Map(this.deliveries.filter(({ status }) => status === 200).map((one) => [one.id, one]));
    return [...byId.values()].flatMap(({ sessions }) =>
      sessions.map(({ numero, event }) => `${event} ${numero}`),
    );
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

async function read(request: IncomingMessage): Promise<Delivery> {
  const payload = await text(request);
  const header = (name: string) => String(request.headers[name]);
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')];
  const signature = createHmac('sha256', KEY).update(`${id}.${timestamp}.${payload}`).digest('base64');
  assert.equal(header('webhook-signature'), `v1,${signature}`);
  const { data }: { data: { sessions: ToldItem[] } } = JSON.parse(payload);
  return { path: String(request.url), id, sessions: data.sessions, status: undefined };
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
