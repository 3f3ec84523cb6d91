import assert from 'node:assert/strict';
import { afterEach, describe, it, mock } from 'node:test';
import { format } from 'node:util';
import { createParser } from '../../src/server/parse.ts';
import { t } from './support.ts';

const CODE = '2@kept-secret';

afterEach(() => mock.reset());

/** What the console shows while something runs. */
function logged(run: () => unknown): string {
  const { mock: log } = mock.method(console, 'error', () => {});
  run();
  return log.calls.map((call) => format(...call.arguments)).join('\n');
}

describe('the log says what is wrong, and never a code', () => {
  it('with a list item that has no numero', () => {
    const items = [{ state: 'AUTENTICANDO...', qrCode: CODE }, CODE, null, [CODE]];
    const log = logged(() => createParser(t).list({ body: items, url: '', clockOffset: 0 }));
    assert.match(log, /the server's numero is invalid/);
    assert.equal(log.split('\n').length, 1);
    assert.doesNotMatch(log, /kept-secret/);
  });

  for (const args of [[{ code: CODE }], [[CODE]], [7], []]) {
    it(`with a code that comes as ${JSON.stringify(args).replace(CODE, '…')}`, () => {
      const log = logged(() => createParser(t).push('session:qr:5491155550001', args));
      assert.match(log, /session:qr:5491155550001 is invalid/);
      assert.doesNotMatch(log, /kept-secret/);
    });
  }
});
