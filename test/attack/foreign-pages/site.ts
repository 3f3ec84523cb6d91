import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Scope } from '../../support/scope.ts';

/** What a site answers on one of its paths. */
export interface Resource {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A web site of an origin of its own. */
export class Site {
  readonly origin: string;
  readonly #resources: Resource[];

  private constructor(origin: string, resources: Resource[]) {
    this.origin = origin;
    this.#resources = resources;
  }

  /** @param host a name of this machine, by which the site is called */
  static async open(scope: Scope, host: string): Promise<Site> {
    const resources: Resource[] = [];
    const server = createServer((request, response) => {
      const {
        status = 200,
        type,
        body,
        headers,
      } = resources[Number(request.url?.slice(1))] ?? { status: 404 };
      // Everybody may read and run it: what browsers refuse here is for the gateway to refuse, not for this site.
      response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '*');
      response.setHeader('Access-Control-Allow-Credentials', 'true');
      response.setHeader('Access-Control-Allow-Headers', '*');
      response.setHeader('Access-Control-Allow-Methods', '*');
      if (type !== undefined) response.setHeader('Content-Type', type);
      response.writeHead(status, headers).end(body);
    });
    server.listen(0, host);
    await once(server, 'listening');
    scope.after(() => {
      server.close();
      server.closeAllConnections();
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The site has no port');
    return new Site(`http://${host}:${address.port}`, resources);
  }

  /** Puts a resource there, and gives its URL. */
  put(resource: Resource): string {
    this.#resources.push(resource);
    return `${this.origin}/${this.#resources.length - 1}`;
  }

  file(type: string, body: string): string {
    return this.put({ type, body });
  }

  /** A URL that leads to another one. */
  redirect(location: string, status = 302): string {
    return this.put({ status, headers: { Location: location } });
  }
}
