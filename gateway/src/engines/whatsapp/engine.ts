import type { Logger } from 'pino';
import type { EngineLedger, VersionStore } from '../../ledger/engine-ledger.ts';
import { Operations, unlessStoreFails } from '../../ledger/operations.ts';
import type { StoredSession } from '../../ledger/row.ts';
import { ignoreStoreError, NotOwnerError } from '../../ledger/store-error.ts';
import { CHECK_PAGE } from '../../proxy/check.ts';
import type { ProxyServer } from '../../proxy/proxy.ts';
import { ClientWarnings } from '../../security/client-warnings.ts';
import type { Ack, Delivery, Engine, Pairing, PasskeyAssertion, Report } from '../../sessions/engine.ts';
import { NoPasskeyStep, NotLinked, NotPairable } from '../../sessions/errors.ts';
import { DeviceCredentials } from './credentials.ts';
import { Connectivity } from './failures.ts';
import { loadLibrary } from './library.ts';
import type { Passkey } from './passkey.ts';
import { generalProxy, Proxies } from './proxies.ts';
import { startDelay } from './reconnection.ts';
import { WhatsappSession } from './session.ts';
import type { SessionContext } from './session-context.ts';
import { TIMINGS, type Timings } from './timings.ts';
import { type AskVersion, ClientVersion, isWhatsapp, type VersionInUse, WHATSAPP } from './version.ts';

export interface ConnectionOptions {
  /** WhatsApp's server, as `wss://…`. Default: the real one. */
  readonly url?: string | undefined;
  /** The version of WhatsApp Web to present, such as `2.3000.1043857760`. Default: the one that WhatsApp names. */
  readonly version?: string | undefined;
  /** Default: the library's, with WhatsApp's own server; with another one, WhatsApp is not asked. */
  readonly askVersion?: AskVersion;
  readonly timings?: Partial<Timings>;
  /**
   * The proxy of sessions that have none of their own, as `http://`, `https://` or `socks5://` with a name and a password
   * where it asks for them. Default: that of the environment's `HTTPS_PROXY`, or none.
   */
  readonly proxy?: string | undefined;
  /**
   * A page that answers with the address of whoever asks, as text; asked through proxies only. Default: Amazon's
   * https://checkip.amazonaws.com.
   */
  readonly proxyCheck?: string | undefined;
  /** Links accounts that require a passkey: docs/passkeys.md. Default false: their sessions end. */
  readonly passkey?: boolean | undefined;
}

export interface WhatsappOptions extends ConnectionOptions {
  /** Folder for the sessions and their credentials; created if missing. */
  readonly folder: string;
  /**
   * File with the key that encrypts the values of the sessions: 64 hexadecimal characters, as `openssl rand -hex 32`
   * writes them, and which others cannot read. A store without encryption is encrypted. Numeros are not. Default: the
   * values are stored as they are.
   */
  readonly keyFile?: string | undefined;
}

/** Links real phones through the client library, which `restore` loads. */
export class WhatsappEngine implements Engine {
  readonly #openLedger: () => Promise<EngineLedger & VersionStore>;
  readonly #options: ConnectionOptions;
  readonly #log: Logger;
  readonly #sessions = new Map<string, WhatsappSession>();
  /** Sessions that were being deleted when the gateway ended. */
  readonly #leaving = new Map<string, Promise<void>>();
  readonly #proxy: ProxyServer | undefined;
  #running: SessionContext | undefined;
  #version: ClientVersion | undefined;
  #closed = false;

  /**
   * @param open opens the ledger; called once, by `restore`
   * @param log the operator log
   * @throws {InvalidProxy} if the proxy of all sessions is invalid
   */
  constructor(
    open: () => Promise<EngineLedger & VersionStore>,
    log: Logger,
    options: ConnectionOptions = {},
  ) {
    this.#openLedger = open;
    this.#log = log;
    this.#options = options;
    this.#proxy = generalProxy(options);
  }

  async restore(resume: (numero: string) => Report): Promise<void> {
    const { url, version: fixed, askVersion, proxyCheck = CHECK_PAGE, passkey = false } = this.#options;
    const timings = { ...TIMINGS, ...this.#options.timings };
    const library = await loadLibrary();
    const ledger = await this.#openLedger();
    const ask = askVersion ?? (isWhatsapp(url) ? library.fetchLatestWaWebVersion : undefined);
    const bundled = library.DEFAULT_CONNECTION_CONFIG.version;
    const proxy = this.#proxy;
    const version = new ClientVersion({ fixed, bundled, ask, proxy, store: ledger, log: this.#log });
    this.#version = version;
    if (!this.#closed) await version.start();
    if (this.#closed) {
      version.close();
      return ledger.close();
    }
    const operations = new Operations((sentence) => this.#log.error(sentence));
    this.#running = {
      library,
      url,
      version,
      timings,
      passkey,
      log: this.#log,
      ledger,
      credentialsOf: (numero) => new DeviceCredentials(numero, ledger.keys(numero), library, operations),
      connectivity: new Connectivity(this.#log),
      warnings: new ClientWarnings(this.#log),
      proxies: new Proxies(proxy, ledger, {
        whatsapp: url ?? WHATSAPP,
        page: proxyCheck,
        timeout: timings.proxy,
      }),
    };
    this.#resume(ledger.sessions(), resume);
  }

  async resume(numeros: readonly string[], begin: (numero: string) => Report): Promise<void> {
    const wanted = new Set(numeros);
    const sessions = this.#run().ledger.sessions();
    this.#resume(
      sessions.filter(({ numero }) => wanted.has(numero)),
      begin,
    );
  }

  async release(numero: string): Promise<void> {
    const session = this.#sessions.get(numero);
    this.#sessions.delete(numero);
    this.#leaving.delete(numero);
    await session?.release();
  }

  async start(numero: string, report: Report): Promise<void> {
    const { ledger } = this.#run();
    await this.#leaving.get(numero);
    const before = this.#sessions.get(numero);
    await before?.stop();
    this.#checkOpen();
    if (before?.hasDeadKeys) await before.erase();
    await ledger.add(numero);
    this.#checkOpen();
    const session = this.#create(numero, report);
    // Rejects if they cannot be read.
    session.credentials();
    this.#sessions.set(numero, session);
    session.start();
  }

  async remove(numero: string): Promise<void> {
    await this.#run().ledger.leave(numero);
    await this.#leave(numero);
  }

  async unlink(numero: string): Promise<void> {
    const session = this.#sessions.get(numero);
    const credentials = session?.credentials();
    if (!session || credentials?.phone === undefined) throw new NotLinked();
    // A store that takes no writes would keep the credentials of a device that WhatsApp has removed.
    await credentials.checkWritable();
    await this.#unlink(session, numero, 'erase');
    if (!this.#closed) session.left('unlinked');
  }

  async pair(numero: string): Promise<Pairing> {
    const session = this.#sessions.get(numero);
    if (!session) throw new NotPairable('not-waiting');
    return session.pair();
  }

  async passkeyChallenge(numero: string) {
    return this.#passkeyOf(numero).challenge();
  }

  async passkey(numero: string, assertion?: PasskeyAssertion): Promise<void> {
    this.#passkeyOf(numero).goOn(assertion);
  }

  async send(numero: string, to: string, text: string, acked: (ack: Ack) => void): Promise<Delivery> {
    return this.#sessions.get(numero)?.send(to, text, acked) ?? 'not-connected';
  }

  async probe(numero: string): Promise<boolean> {
    return this.#sessions.get(numero)?.probe() ?? false;
  }

  reconnect(numero: string): void {
    void this.#sessions.get(numero)?.reconnect();
  }

  get proxy(): string | undefined {
    return this.#proxy?.name;
  }

  testProxy(proxy: ProxyServer): Promise<string | undefined> {
    return this.#run().proxies.test(proxy);
  }

  reroute(numero: string): void {
    void this.#sessions.get(numero)?.reroute();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#version?.close();
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    for (const session of sessions) void session.stop();
    await Promise.all(sessions.map((session) => session.settle()));
    this.#running?.warnings.flush();
    await this.#running?.ledger.close();
  }

  /** The version of WhatsApp Web that it presents; undefined before it is restored. */
  get version(): VersionInUse | undefined {
    return this.#version?.inUse;
  }

  #passkeyOf(numero: string): Passkey {
    const passkey = this.#sessions.get(numero)?.passkey;
    if (!passkey) throw new NoPasskeyStep();
    return passkey;
  }

  #checkOpen(): void {
    if (this.#closed) throw new Error('The engine has been closed');
  }

  #resume(sessions: readonly StoredSession[], begin: (numero: string) => Report): void {
    const linked: { session: WhatsappSession; used: number }[] = [];
    for (const { numero, leaving } of sessions) {
      if (leaving) {
        // After a failure, the next start of the gateway tries again.
        this.#leaving.set(numero, this.#leave(numero).catch(ignoreStoreError));
        continue;
      }
      const report = begin(numero);
      const session = this.#create(numero, report);
      const credentials = unlessStoreFails(() => session.credentials());
      if (credentials?.phone === undefined) {
        report({ type: 'disconnected' });
        continue;
      }
      this.#sessions.set(numero, session);
      linked.push({ session, used: credentials.used });
    }
    // Sessions in use first.
    linked.sort((a, b) => b.used - a.used);
    const { stagger } = this.#run().timings;
    for (const [place, { session }] of linked.entries()) session.start(startDelay(place, stagger));
  }

  #create(numero: string, report: Report): WhatsappSession {
    return new WhatsappSession(numero, this.#run(), report, this.#sessions.get(numero));
  }

  async #leave(numero: string): Promise<void> {
    const session = this.#sessions.get(numero) ?? this.#create(numero, () => {});
    this.#sessions.set(numero, session);
    await this.#unlink(session, numero, 'delete');
    if (this.#closed) return;
    this.#sessions.delete(numero);
    this.#leaving.delete(numero);
  }

  /**
   * Unlinks the device of a session, whether or not WhatsApp is reached, to delete the session or only to erase its
   * credentials.
   */
  async #unlink(session: WhatsappSession, numero: string, task: 'delete' | 'erase'): Promise<void> {
    try {
      const told = await session.leave();
      if (this.#closed) return;
      if (this.#sessions.get(numero) !== session) throw new NotOwnerError(task, numero);
      if (!told) {
        const done = task === 'delete' ? 'deleted' : 'unlinked';
        this.#log.warn(
          { numero },
          `WhatsApp could not be told that ${numero} was ${done}: remove the device on the phone.`,
        );
      }
      await session.erase(task === 'delete' ? 'remove' : 'erase');
    } catch (error) {
      session.left();
      throw error;
    }
  }

  #run(): SessionContext {
    if (!this.#running) throw new Error('The engine was not restored');
    return this.#running;
  }
}
