import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { DemoPage, launchBrowser } from '../demo/demo-page.ts';
import { type Files, servePages } from '../support/page-server.ts';
import { until } from '../support/until.ts';
import { bundle, compileSvelte, compileVue, run } from './bundle.ts';
import { ELEMENT, FRAMEWORKS, OPERATORS, README, THEMING } from './page.ts';
import { expectPanel, expectQuiet, expectTotal, NUMERO, SnippetPage } from './snippet-page.ts';

/** Whether a tag is no component, as the documented configuration of Vite has it. */
async function isCustomElement(tag: string): Promise<boolean> {
  const code = await bundle(
    `import config from 'vite.config.js';
     export const isCustomElement = config.plugins[0].template.compilerOptions.isCustomElement;`,
    {
      'vite.config.js': { code: FRAMEWORKS.snippet('Vue 3', 'js'), loader: 'js' },
      vite: { code: 'export const defineConfig = (config) => config;', loader: 'js' },
      '@vitejs/plugin-vue': { code: 'export default (options) => options;', loader: 'js' },
    },
    'node',
  );
  const configured = run(code).isCustomElement;
  assert.ok(configured instanceof Function);
  return configured(tag) === true;
}

const react = (heading: string) => ({
  snippet: { code: FRAMEWORKS.snippet(heading, 'tsx'), loader: 'tsx' as const },
});
/** A snippet of the README, with the company that every other snippet names. */
const readme = (heading: string) =>
  README.snippet(heading, 'html').replace('api-base', 'provider="Altamar" api-base');
const FIRST = readme('In your page');
/** The snippet with the script of the gateway, and the hash of that text. */
function importMap(text: string | Buffer): string {
  const hash = createHash('sha384').update(text).digest('base64');
  return FRAMEWORKS.snippet('Import map', 'html')
    .replaceAll('https://cdn.example/', '/')
    .replace('sha384-…', `sha384-${hash}`);
}

/** Collects where something is in each frame, and loads the panel's script after a few. */
const LATE_SCRIPT = `
  const below = document.querySelector('#below');
  const script = document.createElement('script');
  script.src = 'whatsapp-operadores.js';
  const places = (window.places = new Set());
  const record = (frames) => {
    places.add(below.getBoundingClientRect().top);
    if (frames === 3) document.body.append(script);
    requestAnimationFrame(() => record(frames + 1));
  };
  record(0);`;

const HYDRATED = 'React on a server';

describe('the snippets of the documentation', () => {
  let browser: Browser;

  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  /** Opens the page, expects what every snippet promises, and closes it. */
  async function tryOut(portal: SnippetPage, hasTotal = true): Promise<void> {
    try {
      const demo = await portal.open(browser);
      await expectPanel(demo, portal.gateway);
      if (hasTotal) await expectTotal(demo.page);
      expectQuiet(demo);
      await demo.page.close();
    } finally {
      await portal.gateway.close();
    }
  }

  test('the first one', async () => {
    await tryOut(new SnippetPage(FIRST), false);
  });

  test('the connect page', () => tryOut(new SnippetPage(README.snippet('Connect page', 'html')), false));

  test('the number of dropped sessions in the title', async () => {
    const portal = new SnippetPage(FIRST, OPERATORS.snippet('Dropped sessions', 'js'));
    const { page } = await portal.open(browser);
    await until(async () => (await page.title()) === 'Sesiones', 'the title without any');
    portal.gateway.phones.phone(NUMERO).logOut();
    await until(async () => (await page.title()) === '(1) Sesiones', 'the title to count it');
    await page.close();
    await portal.gateway.close();
  });

  test('a script from the gateway, in a page of another origin', async () => {
    const files: Files = new Map();
    const pages = await servePages(files);
    const { gateway } = new SnippetPage('', '', { allowOrigins: [pages.origin] });
    try {
      const url = await gateway.listen();
      const snippet = readme('A script from the gateway').replaceAll('http://127.0.0.1:8080', url);
      files.set('/', ['text/html', `<!doctype html><link rel="icon" href="data:,">${snippet}`]);
      const demo = await DemoPage.open(browser, pages.origin);
      await expectPanel(demo, gateway);
      expectQuiet(demo);
      await demo.page.close();
    } finally {
      await gateway.close();
      pages.close();
    }
  });

  test('with a bundler', async () => {
    const script = await bundle(README.snippet('In your page', 'js'), {});
    await tryOut(new SnippetPage(FIRST.replace(/<script.*\/script>/, ''), script), false);
  });

  test('sign-in by a token', async () => {
    const token = 'un-token-de-prueba';
    const portal = new SnippetPage(FIRST, ELEMENT.snippet('Sign-in', 'js'), { token });
    portal.gateway.app.get('/session/token', () => token);
    await tryOut(portal, false);
  });

  test('theming', async () => {
    const styles = `${THEMING.snippet('Custom properties and parts', 'css')}
      #sin-conexion { display: none }
      ${THEMING.snippet('Custom states', 'css')}`;
    const portal = new SnippetPage(`<style>${styles}</style><p id="sin-conexion">Sin conexión</p>${FIRST}`);
    const { page } = await portal.open(browser);
    const title = await page.waitForSelector('whatsapp-operadores >>> [part=title]');
    assert.ok(title);
    const look = await title.evaluate((element) => ({
      background: getComputedStyle(element.closest('header') ?? element).backgroundColor,
      transform: getComputedStyle(element).textTransform,
    }));
    assert.deepEqual(look, { background: 'rgb(30, 58, 138)', transform: 'uppercase' });
    await page.waitForSelector('#sin-conexion', { hidden: true });
    await portal.gateway.close();
    await page.waitForSelector('#sin-conexion', { visible: true });
    await page.close();
  });

  test('plain HTML', () => tryOut(new SnippetPage(FRAMEWORKS.snippet('Plain HTML', 'html'))));

  test('an import map', async () => {
    await tryOut(new SnippetPage(importMap(readFileSync('dist/whatsapp-operadores.js'))), false);
  });

  test('an import map with the hash of another script', async () => {
    const portal = new SnippetPage(importMap('another script'));
    const { page, complaints } = await portal.open(browser);
    await until(() => complaints.some((text) => text.includes('integrity')), 'the browser to refuse it');
    assert.equal(await page.$('whatsapp-operadores:defined'), null);
    await page.close();
    await portal.gateway.close();
  });

  test('the height of a panel whose script comes late', async () => {
    const css = FRAMEWORKS.snippet('Height before the script runs', 'css');
    const panel = '<whatsapp-operadores api-base="/api" provider="Altamar"></whatsapp-operadores>';
    const portal = new SnippetPage(`<style>${css}</style>${panel}<p id="below">Debajo</p>`, LATE_SCRIPT);
    const demo = await portal.open(browser);
    await expectPanel(demo, portal.gateway);
    assert.deepEqual(await demo.page.evaluate('[...places]'), [1024]);
    await demo.page.close();
    await portal.gateway.close();
  });

  test('another tag', async () => {
    const script = await bundle(FRAMEWORKS.snippet('Other tags and scoped registries', 'js'), {});
    await tryOut(new SnippetPage('<mi-panel api-base="/api" provider="Altamar"></mi-panel>', script), false);
  });

  test('a scoped registry', async () => {
    const script = await bundle(FRAMEWORKS.snippet('Scoped registries', 'js'), {});
    await tryOut(new SnippetPage('<div id="panel"></div>', script), false);
  });

  test('a page that a server renders, behind its sign-in', async () => {
    const portal = new SnippetPage(FRAMEWORKS.snippet('Server-rendered pages', 'html'));
    const { app, io } = portal.gateway;
    const isSignedIn = (cookies = '') => cookies.includes('sid=secreto');
    app.addHook('onRequest', async ({ url, headers }, reply) => {
      if (url === '/page') reply.header('Set-Cookie', 'sid=secreto; HttpOnly; SameSite=Strict');
      else if (url.startsWith('/api') && !isSignedIn(headers.cookie)) return reply.code(401).send({});
    });
    io.use(({ handshake }, next) => {
      next(isSignedIn(handshake.headers.cookie) ? undefined : new Error('401'));
    });
    await tryOut(portal, false);
  });

  test('React 19', async () => {
    const script = await bundle(
      `import { createRoot } from 'react-dom/client';
       import { Operators } from 'snippet';
       createRoot(document.getElementById('app')).render(<Operators />);`,
      react('React 19'),
    );
    await tryOut(new SnippetPage('<div id="app"></div>', script));
  });

  test('React 19, rendered in Node first', async () => {
    const server = await bundle(
      `import { renderToString } from 'react-dom/server.edge';
       import { Operators } from 'snippet';
       export const html = renderToString(<Operators />);`,
      react(HYDRATED),
      'node',
    );
    const { html } = run(server);
    assert.match(String(html), /<whatsapp-operadores api-base="\/api" provider="Altamar">/);
    const client = await bundle(
      `import { hydrateRoot } from 'react-dom/client';
       import { Operators } from 'snippet';
       hydrateRoot(document.getElementById('app'), <Operators />);`,
      react(HYDRATED),
    );
    await tryOut(new SnippetPage(`<div id="app">${html}</div>`, client));
  });

  test('Vue 3', async () => {
    assert.equal(await isCustomElement('whatsapp-operadores'), true);
    assert.equal(await isCustomElement('router-view'), false);
    const code = compileVue(FRAMEWORKS.snippet('Vue 3', 'vue'), (tag) => tag === 'whatsapp-operadores');
    const script = await bundle(
      `import { createApp } from 'vue';
       import Operators from 'snippet';
       createApp(Operators).mount('#app');`,
      { snippet: { code, loader: 'ts' } },
    );
    await tryOut(new SnippetPage('<div id="app"></div>', script));
  });

  test('Svelte 5', async () => {
    const code = compileSvelte(FRAMEWORKS.snippet('Svelte 5', 'svelte'));
    const script = await bundle(
      `import { mount } from 'svelte';
       import Operators from 'snippet';
       mount(Operators, { target: document.getElementById('app') });`,
      { snippet: { code, loader: 'js' } },
    );
    await tryOut(new SnippetPage('<div id="app"></div>', script));
  });

  test('Angular', async () => {
    // Its own builds compile templates beforehand; here they are compiled in the page.
    const script = await bundle(
      `import '@angular/compiler';
       import { bootstrapApplication } from '@angular/platform-browser';
       import { Operators } from 'snippet';
       bootstrapApplication(Operators).catch(reportError);`,
      { snippet: { code: FRAMEWORKS.snippet('Angular', 'ts'), loader: 'ts' } },
    );
    await tryOut(new SnippetPage('<app-operators></app-operators>', script));
  });
});
