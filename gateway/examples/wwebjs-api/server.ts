import { digitsOf } from '../../src/engines/remote/numero.ts';
import type { Code, ListedSession, RemoteServer, Sent } from '../../src/engines/remote/server.ts';
import { WwebjsClient } from './client.ts';
import { statusOf } from './states.ts';

/** The sessions of a wwebjs-api server, without its feeds: it has one for each session, and none unless told to. */
export class WwebjsServer implements RemoteServer {
  readonly title = 'wwebjs-api';
  readonly extensions = ['unlink', 'pairing'] as const;
  // Each one opens a browser.
  readonly startsAtOnce = 2;
  readonly #client: WwebjsClient;
  /** Those that were linked since they were started here: one that shows codes again has been unlinked. */
  readonly #linked = new Set<string>();
  /** Those that are not there for a while, since they are being unlinked. */
  readonly #unlinking = new Map<string, Promise<void>>();

  constructor(url: string, key: string) {
    this.#client = new WwebjsClient(url, key);
  }

  close(): void {
    this.#client.close();
  }

  async list(): Promise<ListedSession[]> {
    const names = new Set([...(await this.#client.sessions()), ...this.#unlinking.keys()]);
    return (await Promise.all(Array.from(names, (name) => this.#listed(name)))).flat();
  }

  create(name: string): Promise<void> {
    return this.start(name);
  }

  async start(name: string): Promise<void> {
    await this.#unlinked(name);
    this.#linked.delete(name);
    if (!(await this.#client.act(name, 'restart'))) await this.#client.start(name);
  }

  async unlink(name: string): Promise<boolean> {
    if ((await this.#client.status(name)).state !== 'CONNECTED') return false;
    // Nothing else logs out, and this deletes the session.
    const done = this.#client.act(name, 'terminate').then(() => this.#client.start(name));
    this.#unlinking.set(name, done);
    await done.finally(() => this.#unlinking.delete(name));
    return true;
  }

  async remove(name: string): Promise<void> {
    await this.#unlinked(name);
    await this.#client.act(name, 'terminate');
    this.#linked.delete(name);
  }

  async code(name: string): Promise<Code | undefined> {
    const code = await this.#client.code(name);
    return code === undefined ? undefined : { code };
  }

  async pair(name: string, digits: string): Promise<Code | undefined> {
    const code = await this.#client.pairingCode(name, digits);
    return code === undefined ? undefined : { code };
  }

  find(name: string, digits: string): Promise<string | undefined> {
    return this.#client.addressOf(name, digits);
  }

  async send(name: string, address: string, text: string): Promise<Sent> {
    return (await this.#client.send(name, address, text)) ? { id: undefined } : 'not-connected';
  }

  /** Resolves once the session is there again; whoever unlinks it is told of a failure. */
  async #unlinked(name: string): Promise<void> {
    await this.#unlinking.get(name)?.catch(() => {});
  }

  async #listed(name: string): Promise<ListedSession[]> {
    const account = {};
    if (this.#unlinking.has(name)) return [{ name, status: 'logged-out', account }];
    const { state, message } = await this.#client.status(name);
    if (message === 'session_not_found') return [];
    // Who cannot be understood cannot be counted on.
    const status = statusOf(state, message) ?? 'stopped';
    if (status === 'connected') {
      const me = await this.#client.me(name);
      if (!me) return [{ name, status: 'starting', account }];
      this.#linked.add(name);
      return [
        { name, status, account: { digits: digitsOf(me.wid._serialized), name: me.pushname ?? undefined } },
      ];
    }
    if (status !== 'scanning') return [{ name, status, account }];
    const isShown = (await this.#client.code(name)) !== undefined;
    if (isShown && this.#linked.has(name)) return [{ name, status: 'logged-out', account }];
    return [{ name, status: isShown ? 'scanning' : 'starting', account }];
  }
}
