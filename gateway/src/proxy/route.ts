import { socksDispatcher } from 'fetch-socks';
import { SocksProxyAgent } from 'socks-proxy-agent';
import { type Dispatcher, ProxyAgent } from 'undici';
import type { ProxyFailure } from './failure.ts';
import type { ProxyServer } from './proxy.ts';
import { TunnelAgent } from './tunnel.ts';

/** A way through a proxy, for the connections of one session or one question. */
export interface Route {
  readonly proxy: ProxyServer;
  /** For `node:http` and WebSockets. */
  readonly agent: TunnelAgent | SocksProxyAgent;
  /** For `fetch`. */
  readonly options: RequestInit;
  /** Why the proxy has let the agent's last connection not through, if it has said so. */
  readonly refusal: ProxyFailure | undefined;
  /** Ends what is under way. */
  close(): void;
}

/** Returns a way through a proxy. Nothing takes it any more once it is closed. */
export function routeThrough(proxy: ProxyServer): Route {
  return proxy.url.protocol.startsWith('http') ? httpRoute(proxy) : socksRoute(proxy);
}

function httpRoute(proxy: ProxyServer): Route {
  const { protocol, host, username, password } = proxy.url;
  const credentials = [username, password].map(decodeURIComponent).join(':');
  const token = credentials === ':' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  const life = new AbortController();
  const agent = new TunnelAgent(proxy, token, life.signal);
  const dispatcher = new ProxyAgent({
    uri: `${protocol}//${host}`,
    proxyTunnel: true,
    ...(token !== undefined && { token }),
  });
  return {
    proxy,
    agent,
    options: optionsOf(dispatcher),
    get refusal() {
      return agent.refusal;
    },
    close() {
      life.abort();
      void dispatcher.destroy();
    },
  };
}

/** SOCKS5 (RFC 1928), whose client gives up a proxy that does not answer after half a minute. */
function socksRoute(proxy: ProxyServer): Route {
  const { url, host, port } = proxy;
  const { username, password, href } = url;
  // Otherwise the agent would look host names up itself, past the proxy.
  const agent = new SocksProxyAgent(href.replace(/^socks5:/, 'socks5h:'));
  // socks-proxy-agent 10.1 looks up an IPv6 address with its brackets as a name.
  agent.proxy.host = host;
  const dispatcher = socksDispatcher({
    type: 5,
    host,
    port,
    ...(username !== '' && { userId: decodeURIComponent(username), password: decodeURIComponent(password) }),
  });
  return {
    proxy,
    agent,
    options: optionsOf(dispatcher),
    refusal: undefined,
    close() {
      agent.destroy();
      void dispatcher.destroy();
    },
  };
}

function optionsOf(dispatcher: Dispatcher): RequestInit {
  const options: RequestInit = {};
  // Node's types describe the dispatchers of undici 6, which those of undici 7 replace (`lib/handler/unwrap-handler.js`).
  return Object.assign(options, { dispatcher });
}
