import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { createGateway, type Gateway } from '../../gateway/src/gateway.ts';
import { ManualClock } from '../../gateway/test/support/manual-clock.ts';
import { type Files, type PageServer, servePages } from '../support/page-server.ts';
import { until } from '../support/until.ts';
import { DemoPage, launchBrowser, panelsListen, VISIBLE } from './demo-page.ts';

const NUMERO = '5215550001111';
const FRIEND = '34600111222';
/** Longer than any step from a start to a linked phone, and shorter than a code's life. */
const MOMENT = 2_000;
/** How long the panel shows codes, by its own clock, in which the test may stand still. */
const HOUR = 3_600_000;

/** A page that uses a server of another origin, under the strictest policy that works for a panel. */
const page = (server: string) => `<!doctype html>
<html lang="es">
  <head>
    <meta charset="utf-8"><title>Panel</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="page.css">
    <script src="whatsapp-operadores.js" defer></script>
  </head>
  <body><whatsapp-operadores api-base="${server}/api" socket-origin="${server}" notification-timeout="60000"></whatsapp-operadores></body>
</html>`;

const policy = (server: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${server} ${server.replace('http', 'ws')}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

let browser: Browser;
let pages: PageServer;
let gateway: Gateway;
const clock = new ManualClock();
clock.advance(HOUR);

before(async () => {
  const files: Files = new Map([
    ['/whatsapp-operadores.js', ['text/javascript', readFileSync('dist/whatsapp-operadores.js', 'utf8')]],
    ['/page.css', ['text/css', 'body { margin: 0 } whatsapp-operadores { --wo-accent: navy }']],
  ]);
  const headers = new Headers();
  pages = await servePages(files, headers);
  gateway = createGateway({
    port: 0,
    clock,
    sessions: [{ numero: FRIEND, state: 'connected' }],
    allowOrigins: [pages.origin],
  });
  const server = await gateway.listen();
  headers.set('Content-Security-Policy', policy(server));
  files.set('/', ['text/html', page(server)]);
  browser = await launchBrowser();
});
after(async () => {
  await browser.close();
  await gateway.close();
  pages.close();
});

test('everything works under a strict policy with Trusted Types, without a violation', async () => {
  const demo = await DemoPage.open(browser, pages.origin);
  await demo.says('panel', FRIEND, 'CONNECTED');
  await until(() => gateway.io.of('/').sockets.size === 1, 'the panel to listen');
  await until(() => panelsListen(gateway, 1), 'the socket to be a WebSocket');

  await demo.click('button', 'Agregar una nueva sesión');
  await (await demo.byRole('textbox', 'Número de teléfono')).type(NUMERO);
  await demo.page.keyboard.press('Enter');
  await demo.says('panel', NUMERO, 'AUTENTICANDO...');
  await told(demo, `La sesión de ${NUMERO} comenzará a levantarse`);
  clock.advance(MOMENT);
  await demo.byRole('image', `Código QR para vincular ${NUMERO}`);
  const code = (await gateway.app.inject('/api/session/sessions'))
    .json<{ numero: string; qrCode?: string }[]>()
    .find(({ numero }) => numero === NUMERO)?.qrCode;
  gateway.phones.phone(NUMERO).scan(code ?? '');
  clock.advance(MOMENT);
  await demo.says('panel', NUMERO, 'CONNECTED');
  await told(demo, `Sesión de ${NUMERO} autenticada y lista para usarse`);

  const [message, number] = await (await demo.article('panel', NUMERO)).$$('input');
  await message?.type('Hola');
  await number?.type('sin número');
  await demo.press('panel', NUMERO, 'Enviar Mensaje');
  await told(demo, 'El número de destino no es válido.');

  await demo.press('panel', NUMERO, 'Eliminar Sesión');
  await demo.click('button', 'Eliminar');
  await demo.gone('panel', NUMERO);
  await told(demo, `La sesión de ${NUMERO} ha sido eliminada`);

  // The panel's own log entry about the invalid number is no violation.
  const others = demo.complaints.filter((text) => !text.includes('El número de destino no es válido.'));
  assert.deepEqual(others, []);
});

test('the policy is enforced: violations are blocked, and reported to this test', async () => {
  const demo = await DemoPage.open(browser, pages.origin);
  await demo.says('panel', FRIEND, 'CONNECTED');
  await demo.page.evaluate(() => {
    const style = document.createElement('style');
    style.textContent = 'body { color: red }';
    document.head.append(style);
  });
  await until(() => demo.complaints.some((text) => /style-src/.test(text)), 'the violation to be told');
});

async function told(demo: DemoPage, notice: string): Promise<void> {
  await demo.page.waitForSelector(`whatsapp-operadores >>> ::-p-text(${notice})`, VISIBLE);
}
