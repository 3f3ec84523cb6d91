import type { IncomingHttpHeaders } from 'node:http';
import type { Gateway } from '../../../gateway/src/gateway.ts';
import { Listener, startGateway } from '../../../gateway/test/support/gateway.ts';
import { ManualClock } from '../../../gateway/test/support/manual-clock.ts';
import type { Scope } from '../../support/scope.ts';
import { Site } from './site.ts';
import type { Aim } from './vectors/vector.ts';

/** A browser's request that reached the gateway's API. */
interface Arrival {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The answer's status; undefined while there is none, and if the connection is closed without one. */
  status?: number;
}

/** Paths that are no demo page. */
const GUARDED = /^\/(?:api|simulator|socket\.io)\//;

/** A gateway without a token, with a linked session for each page to attack, and an observer. */
export class Victim {
  readonly arrivals: Arrival[] = [];
  readonly #gateway: Gateway;
  readonly #listener: Listener;
  readonly #sites: Pick<Aim, 'here' | 'third' | 'allowed'>;

  private constructor(gateway: Gateway, listener: Listener, sites: Pick<Aim, 'here' | 'third' | 'allowed'>) {
    this.#gateway = gateway;
    this.#listener = listener;
    this.#sites = sites;
  }

  /**
   * @param host the name of the foreign pages' sites: the gateway's, which makes them same-site, or another one;
   *   browsers trust every name of this machine like https
   * @param pages how many pages there will be
   */
  static async start(scope: Scope, host: 'localhost' | '127.0.0.1', pages: number): Promise<Victim> {
    const [here, third, allowed] = await Promise.all([
      Site.open(scope, host),
      Site.open(scope, '127.0.0.1'),
      Site.open(scope, '127.0.0.1'),
    ]);
    const gateway = await startGateway(scope, {
      sessions: Array.from({ length: pages }, (_, page) => ({ numero: numeroOf(page), state: 'connected' })),
      allowOrigins: [allowed.origin],
      // Nothing happens by itself.
      clock: new ManualClock(),
    });
    const listener = await Listener.connect(scope, gateway, '/', { transports: ['websocket'] });
    const victim = new Victim(gateway, listener, { here, third, allowed });
    victim.#watch();
    return victim;
  }

  aim(page: number): Aim {
    const { url } = this.#gateway;
    const numero = numeroOf(page);
    return {
      ...this.#sites,
      start: `${url}/api/session/levanta/${numero}`,
      session: `${url}/api/session/${numero}`,
      cut: `${url}/simulator/phones/${numero}/lose-line`,
      message: `${url}/api/message`,
      list: `${url}/api/session/sessions`,
      socket: `${url}/socket.io/`,
    };
  }

  /** Returns what was done to the gateway that no foreign page may do. */
  harm(): string[] {
    const answered = this.arrivals.filter(
      ({ method, status = 0 }) => method !== 'OPTIONS' && ((status >= 100 && status < 400) || status >= 500),
    );
    const strangers = this.#gateway.io.engine.clientsCount - 1;
    return [
      ...answered.map(({ method, url, status }) => `${method} ${url} was answered ${status}`),
      ...this.#listener.pushes.map((push) => `pushed ${JSON.stringify(push)}`),
      ...(strangers > 0 ? [`${strangers} listen`] : []),
    ];
  }

  #watch(): void {
    const { server } = this.#gateway.app;
    server.prependListener('request', (request, response) => {
      const { method = '', url = '', headers } = request;
      if (!GUARDED.test(url)) return;
      const arrival: Arrival = { method, url, headers };
      this.arrivals.push(arrival);
      response.once('finish', () => {
        arrival.status = response.statusCode;
      });
    });
    server.prependListener('upgrade', ({ method = '', url = '', headers }) => {
      this.arrivals.push({ method, url, headers });
    });
  }
}

function numeroOf(page: number): string {
  return String(34_600_000_000 + page);
}
