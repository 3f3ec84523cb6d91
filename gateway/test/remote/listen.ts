import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { TestContext } from 'node:test';
import type { Scope } from '../../../test/support/scope.ts';

/** A server that listens on a port of its own until the end of the test. */
export async function listen(scope: Scope, answer?: RequestListener) {
  const http = createServer(answer);
  scope.after(() => {
    http.closeAllConnections();
    http.close();
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const address = http.address();
  assert.ok(typeof address === 'object' && address);
  return { http, url: new URL(`http://127.0.0.1:${address.port}/`) };
}

/** Lets requests hang for ever: otherwise the next ones would begin after 14 s. */
export function stopDeadlines({ mock }: TestContext): void {
  mock.method(AbortSignal, 'timeout', () => new AbortController().signal);
}
