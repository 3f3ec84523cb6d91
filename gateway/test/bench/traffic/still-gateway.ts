import type { WireMessage } from '../../../../src/wire.ts';
import { until } from '../../../../test/support/until.ts';
import type { SimulatedPhones } from '../../../src/engines/simulated/phones.ts';
import { createSeeds } from '../../../src/engines/simulated/seeds.ts';
import { createGateway, type Gateway } from '../../../src/gateway.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** How old the code is that is renewed first, at the start, and when it is renewed, in milliseconds; all others are new. */
const AGE = 55_000;
const RENEWED_AFTER = 5_000;
/** From a scan until the session is connected, in milliseconds. */
const LINKING = 1_500;

/** A gateway that can be away and come back to its port. Its simulated phones do nothing by themselves. */
export class StillGateway {
  readonly #seeds;
  #clock = new ManualClock();
  #gateway: Gateway | undefined;
  #port = 0;

  /** @param count of sessions: the demo's mixture, of which every tenth has a code, without those that wait for one */
  constructor(count: number) {
    // Of those that wait, the gateway pushes since when, one after the other.
    const seeds = createSeeds(count).map((seed) =>
      seed.state === 'waiting' ? { ...seed, state: 'connected' as const } : seed,
    );
    const first = seeds.findIndex(({ state }) => state === 'qr');
    this.#seeds = seeds.map((seed, index) =>
      seed.state === 'qr' ? { ...seed, codeAge: index === first ? AGE : 0 } : seed,
    );
  }

  /** @param prepare called before it listens */
  async start(prepare: (gateway: Gateway) => Promise<void> = async () => {}): Promise<void> {
    this.#clock = new ManualClock();
    this.#gateway = createGateway({ port: this.#port, sessions: this.#seeds, clock: this.#clock });
    await prepare(this.#gateway);
    this.#port = Number(new URL(await this.#gateway.listen()).port);
  }

  async stop(): Promise<void> {
    await this.#gateway?.close();
    this.#gateway = undefined;
  }

  get port(): number {
    return this.#port;
  }

  get phones(): SimulatedPhones {
    return this.#running.phones;
  }

  /** Whether a panel receives its pushes by WebSocket. */
  get hasWebSocket(): boolean {
    const sockets = [...this.#running.io.of('/').sockets.values()];
    return sockets.some(({ conn }) => conn.transport.name === 'websocket');
  }

  /** Numeros of sessions that are connected and have no fault, in the order of the list. */
  get connected(): readonly string[] {
    return this.#seeds.flatMap(({ numero, state, fault, reported }) =>
      state === 'connected' && !fault && !reported ? numero : [],
    );
  }

  /** Has WhatsApp answer for a connected session. */
  async answer(from: string, to: string): Promise<void> {
    await this.phones.send(from, to, 'Hola');
  }

  /** Renews one code, the same each time. */
  renewCode(): void {
    this.#clock.advance(RENEWED_AFTER);
  }

  /** Scans that code, and waits until its session is connected. */
  scan(): void {
    const { phones } = this;
    const numero = this.#seeds.find(({ codeAge }) => codeAge === AGE)?.numero ?? '';
    phones.phone(numero).scan(phones.get(numero)?.code ?? '');
    this.#clock.advance(LINKING);
  }

  /** Sends a test message as another panel does, and reads it on its phone. */
  async send(from: string, to: string): Promise<void> {
    const message: WireMessage = {
      mensaje: { cuerpo: 'Hola', contactos: [Number(to)] },
      remitente: from,
      autorespuesta: false,
      ids: [1],
      encolar: false,
    };
    await this.#call('/message', 'POST', message);
    this.phones.phone(to).read();
  }

  /** Reads, on its phone, the message that is on its way. */
  async read(numero: string): Promise<void> {
    const isThere = () => this.phones.get(numero)?.messages.some(({ read }) => !read);
    await until(isThere, 'the message');
    this.phones.phone(numero).read();
  }

  /** Puts a session into a group, as another panel does. */
  async group(numero: string, group: string): Promise<void> {
    await this.#call(`/session/${numero}/details`, 'PUT', { group });
  }

  /** Refuses all connections of Socket.IO from now on, as a firewall may, and answers calls. */
  refuseSockets(): void {
    const { io } = this.#running;
    io.engine.opts.allowRequest = (_request, decide) => decide('Forbidden', false);
    io.disconnectSockets(true);
  }

  get #running(): Gateway {
    if (!this.#gateway) throw new Error('The gateway is away');
    return this.#gateway;
  }

  async #call(path: string, method: string, body: object): Promise<void> {
    const headers = { 'Content-Type': 'application/json' };
    const url = `${this.#running.url}/api${path}`;
    const { ok, status } = await fetch(url, { method, headers, body: JSON.stringify(body) });
    if (!ok) throw new Error(`${path} was answered ${status}`);
  }
}
