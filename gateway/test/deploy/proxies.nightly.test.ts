import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import puppeteer, { type Page } from 'puppeteer-core';
import { io } from 'socket.io-client';
import { DemoPage } from '../../../test/demo/demo-page.ts';
import { CHROMIUM_FLAGS, findChromium } from '../../../test/support/find-chromium.mjs';
import { startCaddy, startNginx } from '../../../test/support/reverse-proxies.ts';
import type { Scope } from '../../../test/support/scope.ts';
import { stablePort } from '../../../test/support/stable-port.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import { createGateway, type Gateway } from '../../src/gateway.ts';

const TOKEN = 'a-token-of-the-proxies-test';
const NUMERO = '5215550001111';
const SEEDS = [{ numero: NUMERO, state: 'connected' }] as const;

/** What the shipped files need of this machine. */
interface Place {
  readonly folder: string;
  /** Ports of the proxy, and of the gateway behind it. */
  readonly ports: { readonly https: number; readonly http: number; readonly gateway: number };
}

/** Starts a proxy with its shipped file; returns the path of the certificate to trust, which may not be there yet. */
type StartProxy = (scope: Scope, place: Place) => string;

const PROXIES: Record<string, StartProxy> = {
  Caddy(scope, { folder, ports }) {
    startCaddy(scope, folder, shipped('Caddyfile'), {
      options: `http_port ${ports.http}\nskip_install_trust`,
      env: { SITE: `localhost:${ports.https}`, GATEWAY: `127.0.0.1:${ports.gateway}` },
    });
    return join(folder, 'caddy/pki/authorities/local/root.crt');
  },

  nginx(scope, { folder, ports }) {
    const certificate = join(folder, 'fullchain.pem');
    const key = join(folder, 'privkey.pem');
    const names = 'subjectAltName=DNS:localhost,DNS:panel.example';
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
        ...['-addext', names, '-keyout', key, '-out', certificate],
      ],
      { stdio: 'ignore' },
    );
    const sites = [
      ['listen 443', `listen 127.0.0.1:${ports.https}`],
      ['listen 80', `listen 127.0.0.1:${ports.http}`],
      ['/etc/letsencrypt/live/panel.example', folder],
      ['127.0.0.1:8080', `127.0.0.1:${ports.gateway}`],
    ].reduce((text, [from = '', to = '']) => {
      assert.ok(text.includes(from), `nginx.conf has ${from}`);
      return text.replaceAll(from, to);
    }, shipped('nginx.conf'));
    startNginx(scope, folder, sites);
    return certificate;
  },
};

function shipped(file: string): string {
  return readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8');
}

/** A domain with TLS: a proxy with its shipped file, and a gateway with a token behind it. */
class Domain {
  readonly ports: Place['ports'];
  readonly #trustProxy: readonly string[];
  #gateway: Gateway;
  #certificate = '';

  private constructor(ports: Place['ports'], trustProxy: readonly string[]) {
    this.ports = ports;
    this.#trustProxy = trustProxy;
    this.#gateway = this.#create();
  }

  static async open(scope: Scope, start: StartProxy, trustProxy = ['127.0.0.1']): Promise<Domain> {
    const ports = { https: await stablePort(), http: await stablePort(), gateway: await stablePort() };
    const domain = new Domain(ports, trustProxy);
    scope.after(() => domain.#gateway.close());
    await domain.#gateway.listen();
    const certificate = start(scope, { folder: temporaryFolder(), ports });
    domain.#certificate = await until(() => readFileSync(certificate, 'utf8'), 'a certificate');
    await until(async () => (await domain.get('/')).status === 200, 'the proxy');
    return domain;
  }

  get origin(): string {
    return `https://localhost:${this.ports.https}`;
  }

  get certificate(): string {
    return this.#certificate;
  }

  get gateway(): Gateway {
    return this.#gateway;
  }

  async restartGateway(): Promise<void> {
    await this.#gateway.close();
    this.#gateway = this.#create();
    await this.#gateway.listen();
  }

  #create(): Gateway {
    return createGateway({
      port: this.ports.gateway,
      token: TOKEN,
      sessions: SEEDS,
      allowOrigins: [this.origin],
      trustProxy: this.#trustProxy,
    });
  }

  /** Sends a request through the proxy from an address of this machine. */
  get(path: string, options: Client = {}): Promise<Answer> {
    return this.send('GET', path, options);
  }

  send(method: string, path: string, { from, token, forwardedFor, body }: Client): Promise<Answer> {
    const headers = {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(forwardedFor !== undefined && { 'X-Forwarded-For': forwardedFor }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(
        this.origin + path,
        { method, headers, ca: this.#certificate, localAddress: from, agent: false },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (part: string) => {
            text += part;
          });
          response.on('end', () => resolve({ status: response.statusCode, text }));
          response.on('error', reject);
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** Asserts that a push arrives by that transport, as the last of those tried. */
  async expectPush(scope: Scope, path: string, transports: string[]): Promise<void> {
    const socket = io(this.origin, {
      path,
      transports,
      forceNew: true,
      auth: { token: TOKEN },
      ca: this.#certificate,
      extraHeaders: { Origin: this.origin },
    });
    scope.after(() => socket.disconnect());
    const heard: unknown[] = [];
    socket.onAny((name: unknown) => heard.push(name));
    const last = transports.at(-1);
    await until(() => socket.connected && socket.io.engine.transport.name === last, `${last} at ${path}`);
    this.#gateway.io.emit(`session:ready:${NUMERO}`);
    await until(() => heard.includes(`session:ready:${NUMERO}`), `a push by ${last} at ${path}`);
    socket.disconnect();
  }

  /** Tries wrong tokens until the gateway stops checking them. */
  async exhaust(from: string): Promise<void> {
    let status: number | undefined = 401;
    for (let tries = 0; tries < 40 && status === 401; tries += 1) {
      status = (await this.guess({ from })).status;
    }
    assert.equal(status, 429);
  }

  guess(client: Client): Promise<Answer> {
    return this.get('/api/session/sessions', { ...client, token: 'a-token-that-is-not-right' });
  }
}

interface Client {
  /** An address of this machine. */
  readonly from?: string;
  readonly token?: string;
  readonly forwardedFor?: string;
  readonly body?: string;
}

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
}

/** Only Linux has all of 127.0.0.0/8 for clients of this machine. */
const [ONE, OTHER, FORGED] = ['127.0.0.2', '127.0.0.3', '203.0.113.9'];

for (const [name, start] of Object.entries(PROXIES)) {
  describe(`${name} with the shipped configuration`, () => {
    for (const prefix of ['', '/whatsapp']) {
      test(`serves pages, calls and pushes at ${prefix}/`, async (t) => {
        const domain = await Domain.open(t, start);
        const page = await domain.get(`${prefix}/`);
        assert.ok(page.status === 200 && page.text.includes('<whatsapp-operadores'));
        assert.equal((await domain.get(`${prefix}/api/session/sessions`)).status, 401);
        const list = await domain.get(`${prefix}/api/session/sessions`, { token: TOKEN });
        assert.ok(list.status === 200 && list.text.includes(NUMERO));
        for (const transports of [['polling'], ['websocket'], ['polling', 'websocket']]) {
          await domain.expectPush(t, `${prefix}/socket.io/`, transports);
        }
      });
    }

    test('lets nobody outside call the gateway as another gateway', async (t) => {
      const domain = await Domain.open(t, start);
      const reached: unknown[] = [];
      domain.gateway.app.server.on('request', ({ url }) => reached.push(url));
      for (const path of [
        '/cluster',
        '/cluster/',
        '/%63luster',
        '/cluster%2F',
        '//cluster',
        '/x/../cluster?a',
      ]) {
        for (const prefix of ['', '/whatsapp']) {
          assert.equal((await domain.send('POST', prefix + path, {})).status, 404, prefix + path);
        }
      }
      assert.deepEqual(reached, []);
    });

    test('refuses a body that is too large for the gateway', async (t) => {
      const domain = await Domain.open(t, start);
      const body = JSON.stringify({ cuerpo: 'x'.repeat(600_000) });
      const { status } = await domain.send('POST', '/api/message', { token: TOKEN, body });
      assert.equal(status, 413);
    });

    test('counts clients one by one, whatever they say about themselves', async (t) => {
      const domain = await Domain.open(t, start);
      await domain.exhaust(ONE);
      assert.equal((await domain.guess({ from: OTHER })).status, 401);
      for (const forwardedFor of [FORGED, OTHER, `${FORGED}, ${OTHER}`]) {
        assert.equal((await domain.guess({ from: ONE, forwardedFor })).status, 429, forwardedFor);
      }
      // Nobody uses up what is another's.
      await domain.exhaust(OTHER);
      assert.equal((await domain.guess({ from: '127.0.0.4', forwardedFor: ONE })).status, 401);
    });

    test('changes nothing for a gateway that trusts no proxy', async (t) => {
      const domain = await Domain.open(t, start, []);
      await domain.exhaust(ONE);
      assert.equal((await domain.guess({ from: OTHER, forwardedFor: FORGED })).status, 429);
    });

    for (const prefix of ['', '/whatsapp']) {
      test(`serves the panel of a page at ${prefix}/, also after a restart of the gateway`, async (t) => {
        const domain = await Domain.open(t, start);
        const browser = await puppeteer.launch({
          executablePath: findChromium(),
          args: CHROMIUM_FLAGS,
          acceptInsecureCerts: true,
        });
        t.after(() => browser.close());
        const demo = await DemoPage.open(browser, 'about:blank');
        await openHostPage(demo.page, domain.origin, prefix);
        await demo.says('panel', NUMERO, 'CONNECTED');
        await until(() => domain.gateway.io.of('/').sockets.size === 1, 'the panel to listen');
        domain.gateway.phones.phone(NUMERO).loseLine();
        await demo.falls('panel', NUMERO, 'CONNECTED');

        await domain.restartGateway();
        await demo.says('panel', NUMERO, 'CONNECTED');
        await until(() => domain.gateway.io.of('/').sockets.size === 1, 'the panel to listen again');
      });
    }
  });
}

/** Opens a page of the domain, not of the gateway, that has the panel. */
async function openHostPage(page: Page, origin: string, prefix: string): Promise<void> {
  const url = `${origin}/host.html`;
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (request.url() !== url) return void request.continue();
    void request.respond({
      contentType: 'text/html',
      body: `<!doctype html><link rel="icon" href="data:,">
        <script src="${prefix}/whatsapp-operadores.js"></script>
        <whatsapp-operadores api-base="${prefix}/api" socket-path="${prefix}/socket.io/"></whatsapp-operadores>`,
    });
  });
  await page.goto(url);
  await page.$eval('whatsapp-operadores', (panel, token) => Object.assign(panel, { token }), TOKEN);
}
