import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { io } from 'socket.io-client';
import { createGateway, type Gateway } from '../../gateway/src/gateway.ts';
import { call, listOf, message } from '../../gateway/test/support/gateway.ts';
import { resolveNightly } from '../support/nightly-packages.ts';
import { startCaddy, startNginx } from '../support/reverse-proxies.ts';
import type { Scope } from '../support/scope.ts';
import { stablePort } from '../support/stable-port.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { bundle, run } from './bundle.ts';
import { REVERSE_PROXIES } from './page.ts';

/** What is used here of Vite, whose own types are only installed at night. */
interface Vite {
  createServer(config: object): Promise<{ listen(): Promise<unknown>; close(): Promise<void> }>;
}

const PAGE = '<!doctype html><title>Panel</title>';

/** The two gateways of the snippets, behind a proxy that is yet to be started, and the folder of the page. */
class Domain {
  readonly folder: string;
  readonly #port: number;
  readonly #gateways: readonly [main: Gateway, north: Gateway];

  private constructor(folder: string, port: number, gateways: readonly [Gateway, Gateway]) {
    this.folder = folder;
    this.#port = port;
    this.#gateways = gateways;
  }

  /** @param isAllowed whether the gateways have `--allow-origin` with the origin of the page */
  static async open(scope: Scope, { isAllowed }: { isAllowed: boolean }): Promise<Domain> {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'panel'));
    writeFileSync(join(folder, 'panel', 'index.html'), PAGE);
    const port = await stablePort();
    const start = async (numero: string) => {
      const gateway = createGateway({
        port: 0,
        sessions: [{ numero, state: 'connected' }],
        allowOrigins: isAllowed ? [`http://127.0.0.1:${port}`] : [],
        trustProxy: ['127.0.0.1'],
      });
      scope.after(() => gateway.close());
      await gateway.listen();
      return gateway;
    };
    return new Domain(folder, port, [await start('5491155550001'), await start('5491155550002')]);
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** A snippet with the ports and the folder of this test; each replacement must be of something. */
  adapt(snippet: string, more: readonly (readonly [from: string, to: string])[]): string {
    const [main, north] = this.#gateways.map(({ url }) => new URL(url).host);
    const all = [['127.0.0.1:8080', main], ['127.0.0.1:8081', north], ...more] as const;
    return all.reduce((text, [from, to = '']) => {
      assert.ok(text.includes(from), `the snippet has ${from}`);
      return text.replaceAll(from, to);
    }, snippet);
  }

  /** Asserts that the proxy serves the page, and both gateways as a panel uses them. */
  async expectServed(): Promise<void> {
    await until(async () => (await (await fetch(this.url)).text()).includes('<title>Panel'), 'the page');
    for (const [index, path] of ['', '/norte'].entries()) {
      const numeros = (await listOf({ url: this.url + path })).map(({ numero }) => numero);
      assert.deepEqual(numeros, [`549115555000${index + 1}`]);
      await this.#expectCalls(path, `549115555000${index + 1}`);
      for (const transports of [['polling'], ['websocket'], ['polling', 'websocket']]) {
        await this.#expectPushes(`${path}/socket.io/`, transports, this.#gateways[index]);
      }
    }
  }

  /** Makes every kind of call as browsers do: with an Origin, except for a GET. */
  async #expectCalls(path: string, numero: string): Promise<void> {
    const other = '5491155550009';
    const calls = [
      ['GET', `/api/session/levanta/${other}`, undefined, 200],
      ['PUT', `/api/session/${numero}/details`, { label: 'Recepción' }, 200],
      ['POST', '/api/message', message(numero, [34600000001]), 200],
      ['POST', `/api/session/${numero}/unlink`, undefined, 202],
      ['DELETE', `/api/session/${other}`, undefined, 204],
    ] as const;
    for (const [method, address, body, expected] of calls) {
      const headers = {
        'Sec-Fetch-Site': 'same-origin',
        'Sec-Fetch-Mode': 'cors',
        'Sec-Fetch-Dest': 'empty',
        ...(method !== 'GET' && { Origin: this.url }),
      };
      const { status } = await call({ url: this.url + path }, address, { method, body, headers });
      assert.equal(status, expected, `${method} ${path}${address}`);
    }
    assert.equal((await fetch(`${this.url}${path}/l/`)).status, 200, `${path}/l/`);
  }

  async #expectPushes(path: string, transports: string[], gateway: Gateway | undefined): Promise<void> {
    const socket = io(this.url, { path, transports, forceNew: true, extraHeaders: { Origin: this.url } });
    try {
      const heard: unknown[] = [];
      socket.onAny((name: unknown) => heard.push(name));
      const last = transports.at(-1);
      await until(
        () => socket.connected && socket.io.engine.transport.name === last,
        `${last} at ${path}, by way of ${transports}`,
      );
      gateway?.io.emit('session:ready:5491155550001');
      await until(() => heard.includes('session:ready:5491155550001'), `a push by ${last} at ${path}`);
    } finally {
      socket.disconnect();
    }
  }
}

test('Vite forwards to two gateways as documented, without --allow-origin', async (t) => {
  const domain = await Domain.open(t, { isAllowed: false });
  const snippet = domain.adapt(REVERSE_PROXIES.snippet('Vite', 'js'), []);
  const code = await bundle(
    `export { default as config } from 'vite.config.js';`,
    {
      'vite.config.js': { code: snippet, loader: 'js' },
      vite: { code: 'export const defineConfig = (config) => config;', loader: 'js' },
    },
    'node',
  );
  const config = run(code).config as { server: object };
  const { createServer }: Vite = await import(pathToFileURL(resolveNightly('vite')).href);
  const server = await createServer({
    ...config,
    configFile: false,
    logLevel: 'error',
    root: join(domain.folder, 'panel'),
    server: { ...config.server, host: '127.0.0.1', port: domain.port },
  });
  t.after(() => server.close());
  await server.listen();
  await domain.expectServed();
});

test('nginx forwards to two gateways as documented', async (t) => {
  const domain = await Domain.open(t, { isAllowed: true });
  const { folder, port } = domain;
  const server = domain.adapt(REVERSE_PROXIES.snippet('nginx', 'nginx'), [
    ['listen 80', `listen 127.0.0.1:${port}`],
    ['/var/www', folder],
  ]);
  startNginx(t, folder, server);
  await domain.expectServed();
});

test('Caddy forwards to two gateways as documented', async (t) => {
  const domain = await Domain.open(t, { isAllowed: true });
  const { folder, url } = domain;
  const sites = domain.adapt(REVERSE_PROXIES.snippet('Caddy', 'caddy'), [
    ['panel.example', url],
    ['/var/www', folder],
  ]);
  startCaddy(t, folder, sites);
  await domain.expectServed();
});
