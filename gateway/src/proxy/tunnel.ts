import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, isIPv6, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Agent, type AgentConnectOpts } from 'agent-base';
import { failureOfStatus, type ProxyFailure } from './failure.ts';
import type { ProxyServer } from './proxy.ts';

/** Connects through an HTTP proxy. Node limits the headers of its answer to 16 kB. */
export class TunnelAgent extends Agent {
  /** Why the proxy has let the last connection not through, if it has said so. */
  refusal: ProxyFailure | undefined;
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
        this.refusal = statusCode === 200 ? undefined : failureOfStatus(statusCode);
        if (this.refusal) {
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
