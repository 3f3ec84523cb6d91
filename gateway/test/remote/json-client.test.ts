import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { describe, mock, type TestContext, test } from 'node:test';
import { Type } from 'typebox';
import { RemoteError } from '../../src/engines/remote/errors.ts';
import { JsonClient } from '../../src/engines/remote/json-client.ts';
import { listen } from './listen.ts';

/** Calls a server, and returns the error. */
async function failureOf(t: TestContext, answer: RequestListener): Promise<RemoteError> {
  const { url } = await listen(t, answer);
  const client = new JsonClient({ title: 'The server', url: url.href, headers: { 'x-api-key': 'secret' } });
  t.after(() => client.close());
  try {
    await client.call({ path: 'list', answer: Type.Array(Type.String()) });
  } catch (error) {
    if (error instanceof RemoteError) return error;
    throw error;
  }
  return assert.fail('it did not fail');
}

const asJson = (body: string, status = 200): RequestListener => {
  return (_request, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body);
};

describe('an answer is a failure', () => {
  for (const [what, answer, failure, isUncertain] of [
    ['of another form', asJson('[1]'), 'nonsense', true],
    ['that is half', asJson('["a'), 'nonsense', true],
    ['that is longer than any', asJson(JSON.stringify(['a'.repeat(300_000)])), 'nonsense', true],
    ['that is nested too deeply', asJson('['.repeat(100_000)), 'nonsense', true],
    ['with more sessions than any', asJson(JSON.stringify(Array(20_001).fill('a'))), 'nonsense', true],
    ['that is empty', asJson(''), 'nonsense', true],
    ['with status 302', asJson('[]', 302), 'nonsense', true],
    ['with status 401', asJson('[]', 401), 'key', false],
    ['with status 403', asJson('[]', 403), 'key', false],
    ['with status 404', asJson('[]', 404), 'refused', false],
    ['with status 500', asJson('[]', 500), 'failed', true],
    ['that asks for a license', asJson('{"code":"LICENSE_REQUIRED"}', 503), 'license', false],
    ['that is cut', ({ socket }) => socket.destroy(), 'unreachable', true],
  ] satisfies [string, RequestListener, string, boolean][]) {
    test(what, async (t) => {
      const error = await failureOf(t, answer);
      assert.equal(error.failure, failure);
      assert.equal(error.isUncertain, isUncertain);
      assert.doesNotMatch(error.message + error.sentence, /secret/);
    });
  }

  test('that does not come in time, and what was asked may be done', async (t) => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    mock.method(AbortSignal, 'timeout', () => timeout(50));
    t.after(() => mock.reset());
    const error = await failureOf(t, () => {});
    assert.equal(error.failure, 'unreachable');
    assert.equal(error.code, 'TimeoutError');
    assert.equal(error.isUncertain, true);
  });
});

test('nothing was asked of a server that cannot be reached', () => {
  for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'UND_ERR_CONNECT_TIMEOUT']) {
    assert.equal(new RemoteError('unreachable', 'The server', code).isUncertain, false);
  }
});
