import { createServer } from 'node:http';
import { listening } from '../../support/listening.ts';
import type { Scope } from '../../support/scope.ts';

/** A site's answer on one of its paths. */
export interface Resource {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A web site with its own origin. */
export class Site {
  readonly origin: string;
  readonly #resources: Resource[];

  private constructor(origin: string, resources: Resource[]) {
    this.origin = origin;
    this.#resources = resources;
  }

  /** @param host a name of this machine for the site */
  static async open(scope: Scope, host: string): Promise<Site> {
    const resources: Resource[] = [];
    const server = createServer((request, response) => {
      const {
        status = 200,
        type,
        body,
        headers,
      } = resources[Number(request.url?.slice(1))] ?? { status: 404 };
      // Open to everybody: refusing must be up to the gateway, not to this site.
      response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '*');
      response.setHeader('Access-Control-Allow-Credentials', 'true');
      response.setHeader('Access-Control-Allow-Headers', '*');
      response.setHeader('Access-Control-Allow-Methods', '*');
      if (type !== undefined) response.setHeader('Content-Type', type);
      response.writeHead(status, headers).end(body);
    });
    return new Site(`http://${host}:${await listening(scope, server, host)}`, resources);
  }

  /** Adds a resource, and returns its URL. */
  put(resource: Resource): string {
    this.#resources.push(resource);
    return `${this.origin}/${this.#resources.length - 1}`;
  }

  file(type: string, body: string): string {
    return this.put({ type, body });
  }

  /** Returns a URL that redirects to another one. */
  redirect(location: string, status = 302): string {
    return this.put({ status, headers: { Location: location } });
  }
}
