import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'puppeteer-core';
import { ManualClock } from '../../gateway/test/support/manual-clock.ts';
import type { Session } from '../../src/session/session.ts';
import { launchBrowser, VISIBLE } from '../demo/demo-page.ts';
import { expectPanel, expectQuiet, expectTotal, SnippetPage } from '../readme/snippet-page.ts';
import { resolveNightly } from '../support/nightly-packages.ts';
import { pack, project } from '../support/packed-package.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Vite {
  build(config: object): Promise<{ readonly output: readonly [{ readonly code: string }] }>;
}

/** An application that renders by a React of its own, and has the panel in what it renders. */
const app = (entry: string) => `
  import { createElement as h, useEffect, useState, version } from 'react';
  import { createRoot } from 'react-dom/client';
  import '${entry}';

  function App() {
    const [total, setTotal] = useState(0);
    useEffect(() => {
      document.addEventListener('wo-sessions', ({ detail }) => setTotal(detail.sessions.length));
    }, []);
    return h('main', null,
      h('p', null, total + ' sesiones, React ' + version),
      h('whatsapp-operadores', { provider: 'Altamar' }));
  }
  createRoot(document.getElementById('app')).render(h(App));`;

const DISCONNECTED = '34600111222';

describe('the packed panel, built by Vite into an application', () => {
  const folder = temporaryFolder();
  let browser: Browser;
  let tarball: string;

  before(async () => {
    browser = await launchBrowser();
    tarball = pack(folder);
  });
  after(() => browser.close());

  for (const version of ['18.3', '19.0', 'latest'])
    test(`of React ${version}`, () => tryOut(version, 'whatsapp-operadores'));

  test('of React 18.3 that lets nothing have another React: as a script', () =>
    tryOut('18.3', 'whatsapp-operadores/standalone', ['react', 'react-dom']));

  /** Builds the application, and expects a card, a notice and a code, and nothing in the console. */
  async function tryOut(version: string, entry: string, dedupe: readonly string[] = []): Promise<void> {
    const packages = [`react@${version}`, `react-dom@${version}`, tarball];
    const root = await project(join(mkdtempSync(`${folder}/`), 'app'), ...packages);
    const clock = new ManualClock();
    const portal = new SnippetPage('<div id="app"></div>', await build(root, entry, dedupe), { clock });
    try {
      const demo = await portal.open(browser);
      await expectPanel(demo, portal.gateway);
      await expectTotal(demo.page);
      if (version !== 'latest') await demo.page.waitForSelector(`p::-p-text(React ${version}.)`);

      await demo.press('panel', DISCONNECTED, 'Levantar Sesión');
      await demo.tells(`La sesión de ${DISCONNECTED} comenzará a levantarse`);
      clock.advance(5_000);
      await demo.page.waitForSelector(`>>> article[data-numero="${DISCONNECTED}"] svg[role=img]`, VISIBLE);
      const answer = await fetch(new URL('/api/session/sessions', demo.page.url()));
      const sessions: Session[] = await answer.json();
      const { qrCode } = sessions.find(({ numero }) => numero === DISCONNECTED) ?? {};
      assert.ok(qrCode);
      assert.equal(await demo.codeOf(DISCONNECTED), qrCode);
      expectQuiet(demo);
      await demo.page.close();
    } finally {
      await portal.gateway.close();
    }
  }
});

async function build(root: string, entry: string, dedupe: readonly string[]): Promise<string> {
  const input = join(root, 'app.js');
  writeFileSync(input, app(entry));
  const vite: Vite = await import(pathToFileURL(resolveNightly('vite')).href);
  const { output } = await vite.build({
    root,
    configFile: false,
    logLevel: 'silent',
    resolve: { dedupe },
    build: { write: false, modulePreload: false, rolldownOptions: { input } },
  });
  return output[0].code;
}
