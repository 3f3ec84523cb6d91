import { createServer, type RequestListener } from 'node:http';
import type { TestContext } from 'node:test';
import { listening } from '../../../test/support/listening.ts';
import type { Scope } from '../../../test/support/scope.ts';

/** A server that listens on a port of its own until the end of the test. */
export async function listen(scope: Scope, answer?: RequestListener) {
  const http = createServer(answer);
  return { http, url: new URL(`http://127.0.0.1:${await listening(scope, http)}/`) };
}

/** Lets requests hang for ever: otherwise the next ones would begin after 14 s. */
export function stopDeadlines({ mock }: TestContext): void {
  mock.method(AbortSignal, 'timeout', () => new AbortController().signal);
}
