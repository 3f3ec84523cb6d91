import { setTimeout as wait } from 'node:timers/promises';
import { RemoteError } from '../remote/errors.ts';
import { LastOfEach } from '../remote/last-of-each.ts';
import { LONGEST_LIST } from '../remote/limits.ts';
import { digitsOf } from '../remote/numero.ts';
import type { Code, Feed, Known, ListedSession, RemoteServer, Sent, Status } from '../remote/server.ts';
import { isDown } from '../remote/transitions.ts';
import { inTurns, mapInTurns } from '../remote/turns.ts';
import { EvolutionClient, TITLE } from './client.ts';
import { ACKS, listedStatusOf, statusOf } from './states.ts';

/** How many instances are asked for their states at a time. */
const STATES_AT_ONCE = 8;

/** How many instances are asked for their states at a time because of events. */
const CHECKS_AT_ONCE = 3;

/**
 * How long each code is valid, the first one too, and with it the code to type, which is replaced with it, in
 * milliseconds: the server's `qrTimeout`.
 */
const CODE_LIFE = 45_000;

/** How often to check whether a request is done, and the milliseconds between checks. */
const CHECKS = { times: 40, interval: 250 };

/** The instances of an Evolution API server. */
export class EvolutionServer implements RemoteServer {
  readonly title = TITLE;
  readonly oldest = '2.3';
  readonly events = {
    remedy: 'set WEBSOCKET_ENABLED=true and WEBSOCKET_GLOBAL_EVENTS=true in its environment, and restart it',
    open: (feed: Feed) => this.#open(feed),
  };
  readonly extensions = ['unlink', 'pairing', 'ack'] as const;
  readonly startsAtOnce = 8;
  readonly #client: EvolutionClient;
  /** The states since the feed opened: the list has stored states, which may be old. */
  readonly #live = new LastOfEach();
  /** The last codes: calls may return those that are over or scanned. One that is void expires at 0. */
  readonly #codes = new LastOfEach<Required<Code>>();
  /** What the last event of each instance says of its codes, until the server says that it is not connected. */
  readonly #untaken = new Map<string, () => void>();
  readonly #checkInTurn = inTurns(CHECKS_AT_ONCE);
  #isFed = false;

  constructor(url: string, key: string) {
    this.#client = new EvolutionClient(url, key);
  }

  #open(feed: Feed): Promise<void> {
    const client = this.#client;
    client.on('qrcode.updated', ({ instance, data: { qrcode, statusCode } }) => {
      if (!qrcode && statusCode === undefined) return;
      void this.#unlessOpen(instance, () => {
        if (qrcode) return feed.code(instance, this.#noteCode(instance, qrcode.code));
        this.#voidCode(instance);
        feed.status(instance, 'expired');
      });
    });
    client.on('connection.update', ({ instance, data: { state, statusReason, wuid, profileName } }) => {
      this.#live.set(instance, state);
      if (state !== 'connecting') this.#voidCode(instance);
      const known = statusOf(state, statusReason ?? undefined);
      if (known === 'connected') this.#untaken.delete(instance);
      if (known === 'expired') void this.#unlessOpen(instance, () => feed.status(instance, known));
      else if (known)
        feed.status(instance, known, { digits: digitsOf(wuid), name: profileName ?? undefined });
    });
    client.on('status.instance', ({ instance, data: { status, disconnectionReasonCode } }) => {
      const known = statusOf(status, disconnectionReasonCode ?? undefined);
      if (known) feed.status(instance, known);
    });
    client.on('messages.update', ({ instance, data: { keyId, status } }) => {
      const known = ACKS.get(status);
      if (known) feed.ack(instance, keyId, known);
    });
    client.on('instance.create', feed.changed);
    client.on('logout.instance', feed.changed);
    client.on('remove.instance', ({ instance }) => feed.removed(instance));
    return client.open({
      opened: () => {
        this.#isFed = true;
        feed.opened();
      },
      closed: () => {
        this.#isFed = false;
        this.#live.clear();
        // The events of the next ones are lost: the list asks for them.
        this.#codes.clear();
        feed.closed();
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
    return mapInTurns(instances, STATES_AT_ONCE, async (instance) => {
      const { name, connectionStatus, ownerJid, profileName, number } = instance;
      const status = await this.#statusOf(name, connectionStatus);
      const account = { digits: digitsOf(ownerJid), name: profileName ?? undefined };
      return { name, status, account, noted: number ?? undefined };
    });
  }

  async create(name: string): Promise<void> {
    await this.#client.create(name);
    await this.#client.connect(name);
  }

  async start(name: string, before: Known): Promise<void> {
    this.#voidCode(name);
    const isOpen = !isDown(before) || before === 'other-number';
    if (!isOpen || !(await this.#client.restart(name))) await this.#client.connect(name);
  }

  async unlink(name: string): Promise<boolean> {
    if (!(await this.#client.logout(name))) return false;
    await eventually(async () => (await this.#client.state(name)) !== 'open');
    return true;
  }

  async remove(name: string): Promise<void> {
    this.#codes.delete(name);
    if (!(await this.#client.remove(name))) {
      await this.#client.logout(name);
      if (!(await eventually(() => this.#client.remove(name))))
        throw new RemoteError('refused', TITLE, '400');
    }
    const isGone = async () => (await this.#client.instances()).every((instance) => instance.name !== name);
    if (!(await eventually(isGone))) throw new RemoteError('refused', TITLE, 'still listed');
  }

  async code(name: string): Promise<Code | undefined> {
    const code = this.#codes.get(name);
    return code && code.expires > Date.now() ? code : undefined;
  }

  /** It has codes to type only for an instance that was connected with a number. */
  async pair(name: string, digits: string): Promise<Code | undefined> {
    await this.#client.logout(name);
    if (!(await eventually(async () => (await this.#client.state(name)) === 'close'))) return undefined;
    const code = await eventually(async () => (await this.#client.connect(name, digits)).pairingCode);
    return code ? { code, expires: Date.now() + CODE_LIFE } : undefined;
  }

  find(name: string, digits: string): Promise<string | undefined> {
    return this.#client.addressOf(name, digits);
  }

  /** Not `find`, which the server answers from its database for numbers that it knows. */
  probe(name: string, digits: string): Promise<void> {
    return this.#client.profile(name, digits);
  }

  async send(name: string, address: string, text: string): Promise<Sent> {
    const id = await this.#client.send(name, address, text);
    return id === false ? 'refused' : { id };
  }

  /**
   * Takes what an event says of codes, unless the instance is connected: one that was deleted while WhatsApp could not be
   * reached goes on showing codes under its name, which another one may have by now. The last event counts.
   */
  async #unlessOpen(name: string, take: () => void): Promise<void> {
    const isAsking = this.#untaken.has(name);
    // The list tells later what is dropped here.
    if (!isAsking && this.#untaken.size >= LONGEST_LIST) return;
    this.#untaken.set(name, take);
    if (isAsking) return;
    const state = this.#checkInTurn(() => this.#client.state(name));
    const word = await state.catch((error: unknown) => {
      if (!(error instanceof RemoteError)) throw error;
    });
    const last = this.#untaken.get(name);
    this.#untaken.delete(name);
    if (word !== undefined && word !== 'open') last?.();
  }

  #voidCode(name: string): void {
    const { code } = this.#codes.get(name) ?? {};
    if (code !== undefined) this.#codes.set(name, { code, expires: 0 });
  }

  #noteCode(name: string, code: string): Required<Code> {
    const noted = { code, expires: Date.now() + CODE_LIFE };
    this.#codes.set(name, noted);
    return noted;
  }

  /**
   * Returns the current status; undefined if the server does not report it. Requests it if the stored one differs from
   * the events.
   */
  async #statusOf(name: string, stored: string): Promise<Status | undefined> {
    const word = this.#live.get(name) === stored ? stored : await this.#orUndefined(this.#client.state(name));
    if (word === undefined) return undefined;
    if (this.#isFed) this.#live.set(name, word);
    if (word !== 'connecting') this.#voidCode(name);
    // It stores `connecting` with each code: one that was linked or closed before shows none.
    else if (stored === word && !(await this.code(name))) await this.#askForCode(name);
    return (await this.code(name)) ? 'scanning' : listedStatusOf(word, stored);
  }

  /** Asks for the code of an instance whose last one is unknown, or over: the feed may have lost its event. */
  async #askForCode(name: string): Promise<void> {
    const { code } = (await this.#orUndefined(this.#client.connect(name))) ?? {};
    // It still answers the last one after it was scanned.
    if (code !== undefined && code !== this.#codes.get(name)?.code) this.#noteCode(name, code);
  }

  /** Resolves with undefined if the server does not answer about an instance, which does not affect other instances. */
  async #orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof RemoteError && ['failed', 'nonsense', 'refused'].includes(error.failure))
        return undefined;
      throw error;
    }
  }
}

/** Asks until the answer says that it is done: the server answers requests before they are. */
async function eventually<T>(ask: () => Promise<T>): Promise<T | undefined> {
  for (let times = 0; times < CHECKS.times; times++) {
    const answer = await ask();
    if (answer) return answer;
    await wait(CHECKS.interval);
  }
  return undefined;
}
