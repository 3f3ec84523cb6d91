import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { WahaServer } from '../../src/engines/waha/server.ts';
import { listen } from './listen.ts';

test('requests for codes that hang hold up no message', async (t) => {
  let hanging = 0;
  const { url } = await listen(t, (request, response) => {
    if (request.url?.includes('/auth/qr')) hanging += 1;
    else response.end('{"numberExists":true}');
  });
  const server = new WahaServer(url.href, 'key');
  t.after(() => server.close());
  const codes = Array.from({ length: 10 }, (_, place) => assert.rejects(server.code(String(place))));
  await until(() => hanging === 3, 'as many requests as there are at a time');
  assert.equal(await server.find('a', '34600000009'), '34600000009@c.us');
  assert.equal(hanging, 3);
  server.close();
  await Promise.all(codes);
});
