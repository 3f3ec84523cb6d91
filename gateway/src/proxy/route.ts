import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, isIPv6, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Agent, type AgentConnectOpts } from 'agent-base';
import { socksDispatcher } from 'fetch-socks';
import { SocksProxyAgent } from 'socks-proxy-agent';
import { type Dispatcher, ProxyAgent } from 'undici';
import type { ProxyFailure } from './failure.ts';
import type { ProxyServer } from './proxy.ts';

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

/** Connects through an HTTP proxy. Node limits the headers of its answer to 16 kB. */
class TunnelAgent extends Agent {
  refusal: Route['refusal'];
  readonly #proxy: ProxyServer;
  /** The value of `Proxy-Authorization`. */
  readonly #token: string | undefined;
  readonly #life: AbortSignal;

  /** @param life ends what is under way, which a proxy that never answers would keep */
  constructor(proxy: ProxyServer, token: string | undefined, life: AbortSignal) {
    super();
    this.#proxy = proxy;
    this.#token = token;
    this.#life = life;
  }

  override async connect(_request: ClientRequest, options: AgentConnectOpts): Promise<Socket> {
    const socket = await this.#open(options);
    return options.secureEndpoint ? connectTls({ ...options, socket }) : socket;
  }

  #open({ host = '', port }: AgentConnectOpts): Promise<Socket> {
    const proxy = this.#proxy;
    const path = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
    return new Promise((resolve, reject) => {
      const send = proxy.url.protocol === 'https:' ? requestHttps : requestHttp;
      const request = send({
        host: proxy.host,
        port: proxy.port,
        // Otherwise, Node would take the target's.
        servername: isIP(proxy.host) === 0 ? proxy.host : '',
        method: 'CONNECT',
        path,
        headers: { Host: path, ...(this.#token !== undefined && { 'Proxy-Authorization': this.#token }) },
        agent: false,
        signal: this.#life,
      });
      request.on('error', reject);
      request.on('connect', ({ statusCode = 0 }, socket) => {
        this.refusal = undefined;
        if (statusCode !== 200) {
          this.refusal = statusCode === 407 ? 'password' : 'refuses';
          socket.destroy();
          reject(new Error(`The proxy answered ${statusCode}`));
          return;
        }
        // The request's signal ends with its answer.
        this.#life.addEventListener('abort', () => socket.destroy());
        resolve(socket);
      });
      request.end();
    });
  }
}
