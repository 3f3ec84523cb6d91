import { getProxyForUrl } from 'proxy-from-env';
import { InvalidProxy, type ProxyServer, parseProxy } from './proxy.ts';

/**
 * Returns the proxy that the environment names for a server, in `HTTPS_PROXY` and the like, without those that
 * `NO_PROXY` excepts; undefined if it names none. Throws an {@link InvalidProxy}: nothing must go out without it.
 *
 * @param server as `wss://…`
 */
export function environmentProxy(server: string): ProxyServer | undefined {
  const text = getProxyForUrl(server.replace(/^wss?:/, 'https:'));
  if (text === '') return undefined;
  const proxy = parseProxy(text);
  if (!proxy) throw new InvalidProxy('The proxy of the environment (HTTPS_PROXY)');
  return proxy;
}
