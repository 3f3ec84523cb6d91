import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startGateway } from './support/gateway.ts';

describe('the demo pages', () => {
  test('have headers that allow no more than they need', async (t) => {
    const { url } = await startGateway(t);
    const page = await fetch(`${url}/`);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(await page.text(), /<whatsapp-operadores/);

    const policy = page.headers.get('content-security-policy') ?? '';
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "frame-src 'self'",
      "frame-ancestors 'self'",
      "require-trusted-types-for 'script'",
    ]) {
      assert.ok(policy.split('; ').includes(directive), directive);
    }
  });

  test('have security headers, like everything else', async (t) => {
    const { url } = await startGateway(t);
    for (const path of [
      '/',
      '/nada.html',
      '/api/session/sessions',
      '/api/nada',
      '/api/session/levanta/%E0%A4%A',
      '/simulator/phones',
      '/socket.io/?EIO=4&transport=polling',
      '/socket.io/socket.io.esm.min.js',
    ]) {
      const { headers, body } = await fetch(url + path);
      await body?.cancel();
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
      assert.equal(headers.get('referrer-policy'), 'no-referrer', path);
      assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN', path);
      assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin', path);
      assert.equal(headers.get('x-powered-by'), null, path);
    }
  });

  test('do not include files kept beside them, such as the data of real phones', async (t) => {
    const paths = ['demo', 'dist'].map((folder) => `${folder}/whatsapp-data-of-a-test`);
    t.after(() => {
      for (const path of paths) rmSync(path, { recursive: true, force: true });
    });
    for (const path of paths) {
      mkdirSync(path, { recursive: true });
      for (const file of ['sessions.sqlite', 'sessions.sqlite-wal'])
        writeFileSync(`${path}/${file}`, 'secret');
    }
    const { url } = await startGateway(t);
    for (const file of ['sessions.sqlite', 'sessions.sqlite-wal']) {
      for (const prefix of ['', '/dist']) {
        assert.equal((await fetch(`${url}${prefix}/whatsapp-data-of-a-test/${file}`)).status, 404);
      }
    }
  });

  test('do not include the source of the gateway', async (t) => {
    const { url } = await startGateway(t);
    for (const path of [
      '/gateway/src/cli.ts',
      '/%67ateway/main.ts',
      '/x/..%2fgateway/src/cli.ts',
      '//gateway/src/cli.ts',
    ]) {
      assert.equal((await fetch(url + path)).status, 404, path);
    }
  });

  const unbuilt = !existsSync(new URL('../../dist/whatsapp-operadores.js', import.meta.url)) && 'not built';
  test('have the bundle beside them, which any origin may embed', { skip: unbuilt }, async (t) => {
    const { url } = await startGateway(t);
    for (const path of [
      '/whatsapp-operadores.js',
      '/whatsapp-operadores.js.map',
      '/dist/whatsapp-operadores.js',
    ]) {
      const file = await fetch(url + path, { headers: { Origin: 'https://portal.example' } });
      await file.body?.cancel();
      assert.equal(file.status, 200, path);
      assert.equal(file.headers.get('cross-origin-resource-policy'), 'cross-origin');
      assert.equal(file.headers.get('access-control-allow-origin'), '*');
      assert.equal(file.headers.get('x-content-type-options'), 'nosniff');
    }
  });

  for (const [encoding, decompress] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    test(`and the bundle are sent as the build compressed them: ${encoding}`, {
      skip: unbuilt,
    }, async (t) => {
      const { app } = await startGateway(t);
      for (const path of ['/whatsapp-operadores.js', '/dist/whatsapp-operadores.js', '/l/page.js']) {
        const plain = await app.inject({ path });
        const headers = { 'accept-encoding': `${encoding}, deflate` };
        const sent = await app.inject({ path, headers });
        assert.deepEqual(decompress(sent.rawPayload), plain.rawPayload);
        assert.equal(sent.headers['content-encoding'], encoding);
        assert.equal(sent.headers['content-type'], plain.headers['content-type']);
        for (const answer of [plain, sent]) assert.match(String(answer.headers.vary), /accept-encoding/i);
      }
    });
  }

  test('are not sent again to whoever has them, compressed or not', { skip: unbuilt }, async (t) => {
    const { app } = await startGateway(t);
    const path = '/whatsapp-operadores.js';
    const tags = new Set<string>();
    for (const encoding of ['br', 'gzip', 'identity']) {
      const headers = { 'accept-encoding': encoding };
      const tag = String((await app.inject({ path, headers })).headers.etag);
      tags.add(tag);
      const again = await app.inject({ path, headers: { ...headers, 'if-none-match': tag } });
      assert.deepEqual([again.statusCode, again.payload], [304, '']);
    }
    assert.equal(tags.size, 3);
  });
});
