import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { until } from '../support/until.ts';
import type { Attack } from './attack.ts';
import { launchChromium } from './chromium.ts';
import { OddServer } from './packets/odd-server.ts';

/** Panels on the page: while some wait to reconnect, others get their packets. */
const PANELS = 8;
/** How many times faster the page's timers run, since a panel waits for seconds before it reconnects. */
const SPEED = 20;
/** Odd packets per round. */
const PACKETS = 200;

const SCRIPT = readFileSync(new URL('../../dist/whatsapp-operadores.js', import.meta.url), 'utf8');
const PAGE = `<!doctype html><script src="/whatsapp-operadores.js"></script>${'<whatsapp-operadores></whatsapp-operadores>'.repeat(PANELS)}`;

function pageFile(path: string) {
  if (path === '/') return { type: 'text/html', body: PAGE };
  return path === '/whatsapp-operadores.js' ? { type: 'text/javascript', body: SCRIPT } : undefined;
}

export const packets: Attack = {
  name: 'packets',
  promise: 'odd packets of a server throw nothing into the page, and cost at most a back-off',
  async round(scope, random) {
    const server = new OddServer(random, pageFile);
    const browser = await launchChromium(scope);
    scope.after(() => server.close());
    const page = await browser.newPage();
    const thrown: string[] = [];
    page.on('pageerror', (error) => thrown.push(String(error)));
    await page.evaluateOnNewDocument(hurry, SPEED);
    await page.goto(await server.listen());

    await until(() => server.sent >= PACKETS || thrown.length > 0, `${PACKETS} odd packets`, 120_000);
    server.heal();
    for (let round = 0; round < 3; round += 1) await heard(page, server, `BIEN ${round}`);
    assert.deepEqual(thrown, []);
    return { 'odd packets': server.sent };
  },
};

/** Waits until every panel is online and shows a pushed state. */
async function heard(page: Page, server: OddServer, state: string): Promise<void> {
  await until(async () => {
    server.push(state);
    await sleep(100);
    const missing = await page.evaluate(panelsWithout, state);
    assert.equal(missing, 0, `${missing} of ${PANELS} panels have not heard '${state}'`);
    return true;
  }, 'all panels to hear the server');
}

/** Runs in the page. */
function panelsWithout(state: string): number {
  const panels = [...document.querySelectorAll('whatsapp-operadores')];
  return panels.filter(
    (panel) => panel.matches(':state(offline)') || !panel.shadowRoot?.textContent?.includes(state),
  ).length;
}

/** Runs in the page, before its scripts. */
function hurry(speed: number): void {
  const { setTimeout: later, setInterval: repeat } = window;
  window.setTimeout = ((task: TimerHandler, ms = 0, ...args: unknown[]) =>
    later(task, ms / speed, ...args)) as typeof setTimeout;
  window.setInterval = ((task: TimerHandler, ms = 0, ...args: unknown[]) =>
    repeat(task, ms / speed, ...args)) as typeof setInterval;
}
