import { getProxyForUrl } from 'proxy-from-env';
import { PROXY_FORM, type ProxyServer, parseProxy } from './proxy.ts';

/**
 * Returns the proxy that the environment names for a server, in `HTTPS_PROXY` and the like, without those that
 * `NO_PROXY` excepts; undefined if it names none. Throws an error with a sentence for the operator if it is invalid:
 * nothing must go out without it.
 *
 * @param server as `wss://…`
 */
export function environmentProxy(server: string): ProxyServer | undefined {
  const text = getProxyForUrl(server.replace(/^wss?:/, 'https:'));
  if (text === '') return undefined;
  const proxy = parseProxy(text);
  // Its value may hold a password.
  if (!proxy)
    throw new Error(`The proxy of the environment (HTTPS_PROXY) takes a URL such as ${PROXY_FORM}.`);
  return proxy;
}
