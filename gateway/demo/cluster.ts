import { setTimeout as sleep } from 'node:timers/promises';
import type { Ownership, OwnershipReader } from './ownership.ts';
import { type Command, type End, type Phase, Server } from './server.ts';

/** How many gateways there are at first, and how many a small computer carries. */
const FIRST = 3;
const MOST = 8;
/** How often the tables are read, in milliseconds. */
const READ_INTERVAL = 250;

/** A gateway as the page shows it. */
interface ServerView {
  readonly name: string;
  readonly phase: Phase | 'draining';
  readonly end: End | null;
  readonly port: string | null;
  readonly pid: number | null;
}

/** A number as the page shows it. */
interface NumberView {
  readonly numero: string;
  readonly state: string;
  readonly waiting: boolean;
  readonly hasCode: boolean;
  /** The name of the gateway that has it; null while nobody has. */
  readonly owner: string | null;
  /** Whether the process that has it is gone, so that nobody owns it. */
  readonly isStranded: boolean;
}

export interface View {
  readonly servers: readonly ServerView[];
  readonly numbers: readonly NumberView[];
  readonly canGrow: boolean;
}

/** The gateways, and what the database says about them. */
export class Cluster {
  readonly #command: Command;
  readonly #drain: (url: string) => Promise<unknown>;
  readonly #reader: OwnershipReader;
  readonly #servers: Server[] = [];
  readonly #watchers = new Set<(view: View) => void>();
  readonly #ended = new AbortController();
  #ownership: Ownership = { sessions: [], members: [] };
  #view: View = { servers: [], numbers: [], canGrow: true };
  #shown = '';

  /**
   * @param command starts a gateway
   * @param drain has the gateway at that address give its numbers away; resolves when it has none
   */
  constructor(command: Command, drain: (url: string) => Promise<unknown>, reader: OwnershipReader) {
    this.#command = command;
    this.#drain = drain;
    this.#reader = reader;
  }

  get servers(): readonly Server[] {
    return this.#servers;
  }

  get view(): View {
    return this.#view;
  }

  /** Starts the first gateways; resolves when they listen, or have ended. */
  async start(): Promise<void> {
    await Promise.all(Array.from({ length: FIRST }, () => this.add()?.start()));
    void this.#follow();
  }

  /** Adds a gateway, which is to be started; undefined if there are enough. */
  add(): Server | undefined {
    if (this.#servers.length >= MOST) return undefined;
    const server = new Server(`Servidor ${this.#servers.length + 1}`, this.#command, () => this.#show());
    this.#servers.push(server);
    return server;
  }

  find(name: string): Server | undefined {
    return this.#servers.find((server) => server.name === name);
  }

  /** Has a gateway give its numbers away, as long as it takes part. */
  drain({ url }: Server): void {
    if (url === undefined) return;
    // It may end meanwhile, and so may the database.
    this.#drain(url).catch(() => {});
  }

  /** Returns the code that a number shows, and the address of its gateway; undefined if there is none to scan. */
  codeOf(numero: string): { readonly code: string; readonly url: string } | undefined {
    const session = this.#ownership.sessions.find((one) => one.numero === numero);
    if (!session?.qr || session.url === null) return undefined;
    return { code: session.qr, url: session.url };
  }

  /** Calls `watcher` with each change; returns how to stop that. */
  watch(watcher: (view: View) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Ends all processes at once: there is nothing to keep. */
  async end(): Promise<void> {
    this.#ended.abort();
    for (const server of this.#servers) server.kill();
    while (this.#servers.some(({ phase }) => phase !== 'down')) await sleep(10);
  }

  async #follow(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      try {
        this.#ownership = await this.#reader.read();
        this.#show();
      } catch {
        // The tables are not there yet, or the database does not answer: the page keeps what it shows.
      }
      await sleep(READ_INTERVAL, undefined, { signal: this.#ended.signal }).catch(() => {});
    }
  }

  #show(): void {
    this.#view = {
      servers: this.#servers.map((server) => this.#serverView(server)),
      numbers: this.#ownership.sessions.map(({ numero, state, waiting, qr, url }) => {
        const origin = url === null ? undefined : new URL(url).origin;
        const owner = origin === undefined ? undefined : this.#servers.find((server) => server.had(origin));
        const isStranded = origin !== undefined && !owner?.has(origin);
        return { numero, state, waiting, hasCode: qr !== null, owner: owner?.name ?? null, isStranded };
      }),
      canGrow: this.#servers.length < MOST,
    };
    const text = JSON.stringify(this.#view);
    if (text === this.#shown) return;
    this.#shown = text;
    for (const watcher of this.#watchers) watcher(this.#view);
  }

  #serverView(server: Server): ServerView {
    const { name, phase, end, url, pid } = server;
    const isDraining =
      phase === 'up' &&
      this.#ownership.members.some((member) => member.draining && server.has(new URL(member.url).origin));
    return {
      name,
      phase: isDraining ? 'draining' : phase,
      end: end ?? null,
      port: url === undefined ? null : new URL(url).port,
      pid: pid ?? null,
    };
  }
}
