import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { launchBrowser } from '../demo/demo-page.ts';
import { bundle, compileVue, run } from './bundle.ts';
import { snippet } from './readme.ts';
import { expectPanel, expectQuiet, expectTotal, SnippetPage } from './snippet-page.ts';

/** Whether a tag is no component, as the README's configuration of Vite has it. */
async function isCustomElement(tag: string): Promise<boolean> {
  const code = await bundle(
    `import config from 'vite.config.js';
     export const isCustomElement = config.plugins[0].template.compilerOptions.isCustomElement;`,
    {
      'vite.config.js': { code: snippet('Vue 3', 'js'), loader: 'js' },
      vite: { code: 'export const defineConfig = (config) => config;', loader: 'js' },
      '@vitejs/plugin-vue': { code: 'export default (options) => options;', loader: 'js' },
    },
    'node',
  );
  const configured = run(code).isCustomElement;
  assert.ok(configured instanceof Function);
  return configured(tag) === true;
}

const react = (heading: string) => ({ readme: { code: snippet(heading, 'tsx'), loader: 'tsx' as const } });
const HYDRATED = 'Rendered on a server first';

describe('the snippets of the README', () => {
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
    const html = snippet('In your page', 'html').replace('api-base', 'provider="Altamar" api-base');
    await tryOut(new SnippetPage(html), false);
  });

  test('plain HTML', () => tryOut(new SnippetPage(snippet('Plain HTML', 'html'))));

  test('a page that a server renders, behind its sign-in', async () => {
    const portal = new SnippetPage(snippet('A page that a server renders', 'html'));
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
       import { Operators } from 'readme';
       createRoot(document.getElementById('app')).render(<Operators />);`,
      react('React 19'),
    );
    await tryOut(new SnippetPage('<div id="app"></div>', script));
  });

  test('React 19, rendered in Node first', async () => {
    const server = await bundle(
      `import { renderToString } from 'react-dom/server.edge';
       import { Operators } from 'readme';
       export const html = renderToString(<Operators />);`,
      react(HYDRATED),
      'node',
    );
    const { html } = run(server);
    assert.match(String(html), /<whatsapp-operadores api-base="\/api" provider="Altamar">/);
    const client = await bundle(
      `import { hydrateRoot } from 'react-dom/client';
       import { Operators } from 'readme';
       hydrateRoot(document.getElementById('app'), <Operators />);`,
      react(HYDRATED),
    );
    await tryOut(new SnippetPage(`<div id="app">${html}</div>`, client));
  });

  test('Vue 3', async () => {
    assert.equal(await isCustomElement('whatsapp-operadores'), true);
    assert.equal(await isCustomElement('router-view'), false);
    const code = compileVue(snippet('Vue 3', 'vue'), (tag) => tag === 'whatsapp-operadores');
    const script = await bundle(
      `import { createApp } from 'vue';
       import Operators from 'readme';
       createApp(Operators).mount('#app');`,
      { readme: { code, loader: 'ts' } },
    );
    await tryOut(new SnippetPage('<div id="app"></div>', script));
  });

  test('Angular', async () => {
    // Its own builds compile templates beforehand; here they are compiled in the page.
    const script = await bundle(
      `import '@angular/compiler';
       import { bootstrapApplication } from '@angular/platform-browser';
       import { Operators } from 'readme';
       bootstrapApplication(Operators).catch(reportError);`,
      { readme: { code: snippet('Angular', 'ts'), loader: 'ts' } },
    );
    await tryOut(new SnippetPage('<app-operators></app-operators>', script));
  });
});
