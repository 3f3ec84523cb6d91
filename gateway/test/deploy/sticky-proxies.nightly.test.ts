import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { test } from 'node:test';
import { startCaddy, startNginx } from '../../../test/support/reverse-proxies.ts';
import type { Scope } from '../../../test/support/scope.ts';
import { stablePort } from '../../../test/support/stable-port.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';

/** Starts a proxy with its shipped part for several gateways; `ports` are those of the gateways. */
type StartProxy = (scope: Scope, port: number, ports: readonly number[]) => void;

const PROXIES: Record<string, StartProxy> = {
  nginx(scope, port, ports) {
    const upstream = ports.reduce(
      (text, gateway, index) => text.replace(`127.0.0.1:808${index + 1}`, `127.0.0.1:${gateway}`),
      shipped('nginx-cluster.conf'),
    );
    const server = `server { listen 127.0.0.1:${port}; location / { proxy_pass http://whatsapp_operadores; } }`;
    startNginx(scope, temporaryFolder(), `${upstream} ${server}`);
  },

  Caddy(scope, port, ports) {
    const site = `http://127.0.0.1:${port} {\nimport gateway\n}\n`;
    startCaddy(scope, temporaryFolder(), `${shipped('Caddyfile.cluster')}\n${site}`, {
      env: { GATEWAYS: ports.map((gateway) => `127.0.0.1:${gateway}`).join(' ') },
    });
  },
};

function shipped(file: string): string {
  return readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8');
}

interface StandIn {
  readonly port: number;
  readonly server: Server;
}

/** What stands for a gateway: it answers each request with its port, and is always ready. */
async function standIn(scope: Scope): Promise<StandIn> {
  const port = await stablePort();
  const server = createServer((_request, response) => response.end(String(port)));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  scope.after(() => server.close());
  return { port, server };
}

for (const [name, start] of Object.entries(PROXIES)) {
  test(`${name} keeps a client at one gateway, and at another one when that is gone`, async (t) => {
    const gateways = await Promise.all([standIn(t), standIn(t), standIn(t)]);
    const port = await stablePort();
    start(
      t,
      port,
      gateways.map((gateway) => gateway.port),
    );
    let cookie = '';
    const ask = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { cookie } });
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
      return response.ok ? Number(await response.text()) : undefined;
    };
    const first = await until(ask, 'an answer');
    for (let tries = 0; tries < 20; tries += 1) assert.equal(await ask(), first);

    const gone = gateways.find((gateway) => gateway.port === first);
    gone?.server.close();
    gone?.server.closeAllConnections();
    const second = await until(ask, 'an answer of another gateway');
    assert.notEqual(second, first);
    for (let tries = 0; tries < 20; tries += 1) assert.equal(await ask(), second);
  });
}

test('Caddy lets nobody outside call one of several gateways as another gateway', async (t) => {
  const gateway = await standIn(t);
  const port = await stablePort();
  PROXIES.Caddy?.(t, port, [gateway.port]);
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  await until(async () => (await statusOf('/')) === 200, 'an answer');
  assert.equal(await statusOf('/cluster'), 404);
});
