import { setTimeout as wait } from 'node:timers/promises';
import { RemoteError } from '../remote/errors.ts';
import { LastOfEach } from '../remote/last-of-each.ts';
import { MOST_SESSIONS } from '../remote/limits.ts';
import { digitsOf } from '../remote/numero.ts';
import type { Feed, ListedSession, RemoteServer, Sent, Status } from '../remote/server.ts';
import { mapInTurns } from '../remote/turns.ts';
import { EvolutionClient, TITLE } from './client.ts';
import { ackOf, statusOf } from './states.ts';

/** How many instances are asked for their states at a time. */
const STATES_AT_ONCE = 8;

/** How long it shows each code, the first one too, in milliseconds: the server's `qrTimeout`. */
const CODE_LIFE = 45_000;

/** How often to check whether a logout is done, and the milliseconds between checks. */
const LOGOUT = { times: 20, interval: 250 };

/** The instances of an Evolution API server. */
export class EvolutionServer implements RemoteServer {
  readonly title = TITLE;
  readonly oldest = '2.3';
  readonly events = {
    remedy: 'set WEBSOCKET_ENABLED=true and WEBSOCKET_GLOBAL_EVENTS=true in its environment, and restart it',
    mayHide: true,
    open: (feed: Feed) => this.#open(feed),
  };
  /** Each takes 5 s. */
  readonly startsAtOnce = 1;
  readonly #client: EvolutionClient;
  /** The states since the feed opened: the list has stored states, which may be old. */
  readonly #live = new LastOfEach();
  /** The codes of the feed: calls may return expired ones. */
  readonly #codes = new LastOfEach();
  #isFed = false;

  constructor(url: string, key: string) {
    this.#client = new EvolutionClient(url, key);
  }

  #open({ opened, closed, changed, status, code, codeEnded, ack }: Feed): Promise<void> {
    return this.#client.listen({
      opened: () => {
        this.#isFed = true;
        opened();
      },
      closed: (isFlooded) => {
        this.#isFed = false;
        this.#live.clear();
        // The next ones come by the feed too.
        for (const name of this.#codes.keys()) codeEnded(name);
        this.#codes.clear();
        closed(isFlooded);
      },
      changed,
      code: (instance, text) => {
        if (text === undefined) {
          this.#codes.delete(instance);
          status(instance, 'expired');
        } else {
          this.#codes.set(instance, text);
          code(instance, text, Date.now() + CODE_LIFE);
        }
      },
      connection: (instance, { state, statusReason, wuid, profileName }) => {
        this.#live.set(instance, state);
        if (state !== 'connecting') this.#codes.delete(instance);
        const known = statusOf(state, statusReason ?? undefined);
        if (known) status(instance, known, { digits: digitsOf(wuid), name: profileName ?? undefined });
      },
      ended: (instance, word, reason) => {
        const known = statusOf(word, reason);
        if (known) status(instance, known);
      },
      message: (instance, id, word) => {
        const known = ackOf(word);
        if (known) ack(instance, id, known);
      },
    });
  }

  close(): void {
    this.#client.close();
  }

  async version(): Promise<string> {
    return (await this.#client.version()).version;
  }

  async list(): Promise<ListedSession[]> {
    const instances = await this.#client.instances();
    this.#live.keepOnly(instances);
    this.#codes.keepOnly(instances);
    return mapInTurns(instances, STATES_AT_ONCE, async (instance, place) => {
      const { name, connectionStatus, ownerJid, profileName, number } = instance;
      // Each may take a request; beyond this number, instances are not listed anyway.
      const status = place < MOST_SESSIONS ? await this.#statusOf(name, connectionStatus) : undefined;
      const account = { digits: digitsOf(ownerJid), name: profileName ?? undefined };
      return { name, status, account, noted: number ?? undefined };
    });
  }

  async create(name: string): Promise<void> {
    if (!(await this.#client.create(name))) await this.#client.connect(name);
  }

  async start(name: string, status: Status): Promise<void> {
    const isOpen = status === 'connected' || status === 'scanning' || status === 'starting';
    if (!isOpen || !(await this.#client.restart(name))) await this.#client.connect(name);
  }

  async unlink(name: string): Promise<boolean> {
    if (!(await this.#client.logout(name))) return false;
    await becomes(async () => (await this.#client.state(name)) !== 'open');
    return true;
  }

  async remove(name: string): Promise<void> {
    this.#codes.delete(name);
    if (await this.#client.remove(name)) return;
    await this.#client.logout(name);
    if (!(await becomes(() => this.#client.remove(name)))) throw new RemoteError('refused', TITLE, '400');
  }

  async code(name: string): Promise<string | undefined> {
    return this.#codes.get(name);
  }

  pair(name: string, digits: string): Promise<string | undefined> {
    return this.#client.pairingCode(name, digits);
  }

  find(name: string, digits: string): Promise<string | undefined> {
    return this.#client.addressOf(name, digits);
  }

  async send(name: string, address: string, text: string): Promise<Sent> {
    const id = await this.#client.send(name, address, text);
    return id === false ? 'refused' : { id };
  }

  /**
   * Returns the current status; undefined if the server does not report it. Requests it if the stored one differs from
   * the events.
   */
  async #statusOf(name: string, stored: string): Promise<Status | undefined> {
    const word = this.#live.get(name) === stored ? stored : await this.#stateOf(name);
    if (word === undefined) return undefined;
    if (this.#isFed) this.#live.set(name, word);
    if (word !== 'connecting') this.#codes.delete(name);
    return this.#codes.has(name) ? 'scanning' : statusOf(word);
  }

  /**
   * Returns the state of an instance; undefined if the server does not report it, which does not affect other
   * instances.
   */
  async #stateOf(name: string): Promise<string | undefined> {
    try {
      return await this.#client.state(name);
    } catch (error) {
      if (error instanceof RemoteError && ['failed', 'nonsense', 'refused'].includes(error.failure))
        return undefined;
      throw error;
    }
  }
}

/** Waits until a logout is done: some versions answer before it is. */
async function becomes(isSo: () => Promise<boolean>): Promise<boolean> {
  for (let times = 0; times < LOGOUT.times; times++) {
    if (await isSo()) return true;
    await wait(LOGOUT.interval);
  }
  return false;
}
