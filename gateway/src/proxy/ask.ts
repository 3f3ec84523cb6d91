import { type Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

export interface RequestOptions {
  readonly method: 'GET' | 'HEAD';
  /** False for a connection of its own, without a proxy. */
  readonly agent: Agent | false;
  /** How long all of it may take, in milliseconds. */
  readonly timeout: number;
}

/**
 * Returns what `read` makes of a server's answer, whatever its status. Rejects with Node's error, whose code is
 * `ETIMEDOUT` if there is no answer in time.
 */
export async function ask<T>(
  url: URL,
  { method, agent, timeout }: RequestOptions,
  read: (answer: IncomingMessage) => T | Promise<T>,
): Promise<T> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  let request: ClientRequest | undefined;
  let limit: NodeJS.Timeout | undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      // The request's own limit begins once the proxy has let it through.
      limit = setTimeout(() => reject(LATE), timeout);
      request = send(url, { method, agent }, (incoming) => {
        Promise.resolve(incoming).then(read).then(resolve, reject);
      });
      request.on('error', reject).end();
    });
  } finally {
    clearTimeout(limit);
    // A request that waits for its agent says nothing of it, but takes no connection that comes later.
    request?.destroy();
  }
}

const LATE = Object.assign(new Error('No answer'), { code: 'ETIMEDOUT' });
