import { isOlder } from '../../version.ts';
import type { EngineExtension } from '../extensions.ts';
import { RemoteError } from '../remote/errors.ts';
import { LastOfEach } from '../remote/last-of-each.ts';
import { digitsOf } from '../remote/numero.ts';
import type {
  Account,
  Code,
  Feed,
  ListedSession,
  RemotePasskeys,
  RemoteServer,
  Sent,
  Status,
} from '../remote/server.ts';
import { inTurns } from '../remote/turns.ts';
import { bareId, type Me, TITLE, WahaClient } from './client.ts';
import { ACKS, limitOf, quotaOf, statusOf, stepOf } from './states.ts';

/** How many requests for codes run at a time. */
const CODES_AT_ONCE = 3;

/**
 * The first version that reports what becomes of messages, removes the device from the phone, and, with GOWS alone, links
 * accounts that require a passkey, by its documentation.
 */
const CURRENT = '2026.7';

/**
 * How long its engines without a browser show the first code and each later one, in milliseconds: the `qrTimeout` of
 * Baileys, and that of whatsmeow. Those with a browser do not tell.
 */
const CODE_LIVES = { first: 60_000, later: 20_000 };
const WITHOUT_BROWSER = ['NOWEB', 'GOWS'];

/** The sessions of a WAHA server. */
export class WahaServer implements RemoteServer {
  readonly title = TITLE;
  readonly oldest = '2024.10';
  readonly events = {
    remedy: 'let its WebSocket `/ws` through any proxy before it',
    open: (feed: Feed) => this.#open(feed),
  };
  readonly startsAtOnce = 4;
  readonly passkeys: RemotePasskeys;
  readonly #client: WahaClient;
  #isCurrent = false;
  #engine = '';
  #followsAcks = false;
  /** When the last code of each session expires, which is known only for those that the feed has reported. */
  readonly #expiries = new LastOfEach<number>();
  /** Its last word about each session, and the one that it followed. */
  readonly #words = new LastOfEach<{ word: string; before: string | undefined }>();
  /** Requests for codes that hang must not hold up messages, which share the connections. */
  readonly #codeInTurn = inTurns(CODES_AT_ONCE);

  constructor(url: string, key: string) {
    this.#client = new WahaClient(url, key);
    this.passkeys = this.#client;
  }

  get extensions() {
    const extensions: EngineExtension[] = ['unlink', 'pairing'];
    if (this.#isCurrent) extensions.push('ack');
    if (this.#signsPasskeys) extensions.push('passkey');
    return extensions;
  }

  get #hasBrowser(): boolean {
    return !WITHOUT_BROWSER.includes(this.#engine);
  }

  get #signsPasskeys(): boolean {
    return this.#isCurrent && this.#engine === 'GOWS';
  }

  async #open(feed: Feed): Promise<void> {
    let reading = Promise.resolve();
    await this.#client.open(
      'session.status',
      ({ session, me, payload }) => {
        this.#noteCode(session, payload.status);
        const word = this.#statusOf(session, payload.status);
        if (word) feed.status(session, word, accountOf(me, payload.data));
        else feed.changed();
      },
      {
        opened: () => {
          reading = this.#readVersion(feed);
          feed.opened();
        },
        closed: () => {
          this.#expiries.clear();
          feed.closed();
        },
      },
    );
    await reading;
  }

  /** Reads what the server's version can do; without an answer, what was known stays. */
  async #readVersion(feed: Feed): Promise<void> {
    try {
      const { version, engine } = await this.#client.version();
      this.#isCurrent = !isOlder(version, CURRENT);
      this.#engine = engine ?? '';
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
    }
    if (!this.#isCurrent || this.#followsAcks) return;
    this.#followsAcks = true;
    await this.#client.open('message.ack', ({ session, payload }) => {
      const known = ACKS.get(payload.ack);
      if (known) feed.ack(session, bareId(payload.id), known);
    });
  }

  #noteCode(name: string, word: string): void {
    if (word !== 'SCAN_QR_CODE' || this.#hasBrowser) {
      this.#expiries.delete(name);
      return;
    }
    const life = this.#expiries.has(name) ? CODE_LIVES.later : CODE_LIVES.first;
    this.#expiries.set(name, Date.now() + life);
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
    const isStopped = this.#words.get(name)?.word === 'STOPPED';
    if (isStopped && (await this.#client.act(name, 'start'))) return;
    if (!(await this.#client.act(name, 'restart'))) throw new RemoteError('refused', TITLE, '422');
  }

  async unlink(name: string): Promise<boolean> {
    if (!(await this.#client.act(name, 'logout'))) return false;
    // Otherwise it would show codes at once.
    await this.#client.act(name, 'stop');
    return true;
  }

  async relink(name: string): Promise<void> {
    if (!(await this.#client.act(name, 'logout'))) throw new RemoteError('refused', TITLE, '422');
  }

  async remove(name: string): Promise<void> {
    await this.#client.remove(name);
    this.#words.delete(name);
  }

  code(name: string): Promise<Code | undefined> {
    return this.#codeInTurn(async () => {
      const code = await this.#client.code(name);
      return code === undefined ? undefined : { code, expires: this.#expiries.get(name) };
    });
  }

  async pair(name: string, digits: string): Promise<Code | undefined> {
    const code = await this.#client.pairingCode(name, digits);
    return code === undefined ? undefined : { code: code.replace('-', '') };
  }

  find(name: string, digits: string): Promise<string | undefined> {
    return this.#client.addressOf(name, digits);
  }

  send(name: string, address: string, text: string): Promise<Sent> {
    return this.#client.send(name, address, text);
  }

  #statusOf(name: string, word: string): Status | undefined {
    const last = this.#words.get(name);
    // The list and the events tell the same, in any order: a word that is repeated means what it meant.
    const before = last?.word === word ? last.before : last?.word;
    this.#words.set(name, { word, before });
    const step = this.#signsPasskeys ? stepOf(word) : undefined;
    if (step) return step;
    const status = statusOf(word, before);
    // Engines with a browser leave dead credentials by themselves: there, it is the browser that failed.
    return status === 'failed' && this.#hasBrowser ? 'stopped' : status;
  }
}

/** @param changed the limits that an event reports, which are newer than those of the account */
function accountOf(me: Me, changed?: unknown): Account {
  const { reachoutTimelock, messageCapping }: { reachoutTimelock?: unknown; messageCapping?: unknown } = {
    ...me,
    ...Object(changed),
  };
  return {
    digits: digitsOf(me?.id),
    name: me?.pushName ?? undefined,
    limit: limitOf(reachoutTimelock),
    quota: quotaOf(messageCapping),
  };
}
