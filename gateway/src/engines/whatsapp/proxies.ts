import { LRUCache } from 'lru-cache';
import { getProxyForUrl } from 'proxy-from-env';
import type { EngineLedger } from '../../ledger/engine-ledger.ts';
import { exitOf, type ProxyChecks, testProxy } from '../../proxy/check.ts';
import { InvalidProxy, type ProxyServer, parseProxy } from '../../proxy/proxy.ts';
import { WHATSAPP } from './version.ts';

/** How many exits are remembered, and for how long, in milliseconds: sessions that log in together ask once. */
const REMEMBERED = { max: 10_000, ttl: 60_000 };

/** Returns the proxy of sessions without one of their own, if there is one. Throws an `InvalidProxy`. */
export function generalProxy({
  url = WHATSAPP,
  proxy,
}: {
  readonly url?: string | undefined;
  readonly proxy?: string | undefined;
}): ProxyServer | undefined {
  if (proxy === undefined) return environmentProxy(url);
  const parsed = parseProxy(proxy);
  if (!parsed) throw new InvalidProxy('The proxy of the engine whatsapp');
  return parsed;
}

/**
 * Returns the proxy that the environment names for a server, in `HTTPS_PROXY` and the like, without those that
 * `NO_PROXY` excepts; undefined if it names none. Throws an {@link InvalidProxy}: nothing must go out without it.
 *
 * @param server as `wss://…`
 */
function environmentProxy(server: string): ProxyServer | undefined {
  const text = getProxyForUrl(server.replace(/^wss?:/, 'https:'));
  if (text === '') return undefined;
  const proxy = parseProxy(text);
  if (!proxy) throw new InvalidProxy('The proxy of the environment (HTTPS_PROXY)');
  return proxy;
}

/** The proxies through which the sessions of an engine connect. */
export class Proxies {
  /** That of sessions without one of their own. */
  readonly #general: ProxyServer | undefined;
  readonly #ledger: Pick<EngineLedger, 'proxy'>;
  readonly #checks: ProxyChecks;
  readonly #exits = new LRUCache<string, Promise<string | undefined>>(REMEMBERED);

  constructor(general: ProxyServer | undefined, ledger: Pick<EngineLedger, 'proxy'>, checks: ProxyChecks) {
    this.#general = general;
    this.#ledger = ledger;
    this.#checks = checks;
  }

  /**
   * Returns the proxy of a session's next connection; undefined if it connects without one. Throws a `StoreError` if that
   * cannot be read: the session then must not connect.
   */
  of(numero: string): ProxyServer | undefined {
    return this.#ledger.proxy(numero) ?? this.#general;
  }

  /** See `testProxy`. */
  test(proxy: ProxyServer): Promise<string | undefined> {
    return testProxy(proxy, this.#checks);
  }

  /** Returns the address that the other side sees through a proxy; undefined if it is not known. Never rejects. */
  exitOf(proxy: ProxyServer): Promise<string | undefined> {
    const { href } = proxy.url;
    const known = this.#exits.get(href) ?? exitOf(proxy, this.#checks).catch(() => undefined);
    this.#exits.set(href, known, { noUpdateTTL: true });
    return known;
  }
}
