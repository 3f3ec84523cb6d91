import assert from 'node:assert/strict';
import type { Browser, Page } from 'puppeteer-core';
import type { Seed } from '../../gateway/src/engines/simulated/seeds.ts';
import { createGateway, type Gateway } from '../../gateway/src/gateway.ts';
import type { GatewayOptions } from '../../gateway/src/gateway-options.ts';
import { ManualClock } from '../../gateway/test/support/manual-clock.ts';
import { DemoPage, VISIBLE } from '../demo/demo-page.ts';
import { until } from '../support/until.ts';

export const NUMERO = '5215550001111';
const SEEDS: Seed[] = [
  { numero: NUMERO, state: 'connected' },
  { numero: '34600111222', state: 'disconnected' },
];

/** A page of a portal on the origin of a gateway, as the snippets have it. */
export class SnippetPage {
  readonly gateway: Gateway;
  readonly #body: string;

  /** @param script of the page, besides those in its markup */
  constructor(body: string, script = '', options: GatewayOptions = {}) {
    this.gateway = createGateway({ port: 0, sessions: SEEDS, clock: new ManualClock(), ...options });
    this.#body = body;
    this.gateway.app.get('/page', (_request, reply) => reply.type('text/html').send(this.#html));
    this.gateway.app.get('/page.js', (_request, reply) => reply.type('text/javascript').send(script));
  }

  get #html(): string {
    return `<!doctype html>
      <html lang="es">
        <head><meta charset="utf-8"><title>Página</title><link rel="icon" href="data:,"></head>
        <body>${this.#body}<script src="page.js"></script></body>
      </html>`;
  }

  async open(browser: Browser): Promise<DemoPage> {
    const url = await this.gateway.listen();
    return DemoPage.open(browser, `${url}/page`);
  }
}

/** What every snippet comes to: the panel is there, `provider` has reached it, and it listens to its server. */
export async function expectPanel({ page }: DemoPage, { io }: Gateway): Promise<void> {
  // Wherever it is: the tag may be another, or in a shadow root.
  await page.waitForSelector(`>>> article[data-numero="${NUMERO}"]::-p-text(CONNECTED)`, VISIBLE);
  const footer = await page.$('>>> footer');
  // One session has none.
  const isOne = (await page.$('[numero]')) !== null;
  if (!isOne)
    await until(
      async () => (await footer?.evaluate(({ textContent }) => textContent))?.includes('Altamar'),
      'the company in the footer',
    );
  await until(() => io.of('/').sockets.size === 1, 'the panel to listen');
}

/** What the page makes of the event: the snippets show how many sessions there are. */
export async function expectTotal(page: Page): Promise<void> {
  await page.waitForSelector('p::-p-text(2 sesiones)');
}

export function expectQuiet({ complaints }: DemoPage): void {
  assert.deepEqual(complaints, []);
}
