import { RemoteError } from '../remote/errors.ts';
import { LastOfEach } from '../remote/last-of-each.ts';
import { digitsOf } from '../remote/numero.ts';
import type { Account, Feed, ListedSession, RemoteServer, Sent, Status } from '../remote/server.ts';
import { inTurns } from '../remote/turns.ts';
import { type Me, TITLE, WahaClient } from './client.ts';
import { ackOf, statusOf } from './states.ts';

/** How many requests for codes run at a time. */
const CODES_AT_ONCE = 3;

/** The sessions of a WAHA server. */
export class WahaServer implements RemoteServer {
  readonly title = TITLE;
  readonly oldest = '2024.10';
  readonly events = {
    remedy: 'let its WebSocket `/ws` through any proxy before it',
    mayHide: false,
    open: (feed: Feed) => this.#open(feed),
  };
  readonly startsAtOnce = 4;
  readonly #client: WahaClient;
  /** Its last report about each session. */
  readonly #words = new LastOfEach();
  /** Requests for codes that hang must not hold up messages, which share the connections. */
  readonly #codeInTurn = inTurns(CODES_AT_ONCE);

  constructor(url: string, key: string) {
    this.#client = new WahaClient(url, key);
  }

  #open({ opened, closed, changed, status, ack }: Feed): Promise<void> {
    return this.#client.listen({
      opened,
      closed,
      status: ({ session, me, payload }) => {
        const word = this.#statusOf(session, payload.status);
        if (word) status(session, word, accountOf(me));
        else changed();
      },
      ack: (session, id, level) => {
        const known = ackOf(level);
        if (known) ack(session, id, known);
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
    const sessions = await this.#client.sessions();
    this.#words.keepOnly(sessions);
    return sessions.map(({ name, status: word, me, config }) => {
      const status = word === undefined ? undefined : this.#statusOf(name, word);
      const numero = config?.metadata?.numero;
      const noted = typeof numero === 'string' ? numero : undefined;
      return { name, status, account: accountOf(me), noted };
    });
  }

  async create(name: string): Promise<void> {
    if (!(await this.#client.create(name))) await this.start(name);
  }

  async start(name: string): Promise<void> {
    // A failed session still runs, so a start would do nothing.
    const isStopped = this.#words.get(name) === 'STOPPED';
    if (isStopped && (await this.#client.act(name, 'start'))) return;
    if (!(await this.#client.act(name, 'restart'))) throw new RemoteError('refused', TITLE, '422');
  }

  async unlink(name: string): Promise<boolean> {
    if (!(await this.#client.act(name, 'logout'))) return false;
    // Otherwise it would show codes at once.
    await this.#client.act(name, 'stop');
    return true;
  }

  async remove(name: string): Promise<void> {
    await this.#client.remove(name);
    this.#words.delete(name);
  }

  code(name: string): Promise<string | undefined> {
    return this.#codeInTurn(() => this.#client.code(name));
  }

  async pair(name: string, digits: string): Promise<string | undefined> {
    const code = await this.#client.pairingCode(name, digits);
    return code?.replace('-', '');
  }

  find(name: string, digits: string): Promise<string | undefined> {
    return this.#client.addressOf(name, digits);
  }

  async send(name: string, address: string, text: string): Promise<Sent> {
    const id = await this.#client.send(name, address, text);
    return id === false ? 'not-connected' : { id };
  }

  #statusOf(name: string, word: string): Status | undefined {
    const before = this.#words.get(name);
    this.#words.set(name, word);
    return statusOf(word, before);
  }
}

function accountOf(me: Me): Account {
  return { digits: digitsOf(me?.id), name: me?.pushName ?? undefined };
}
