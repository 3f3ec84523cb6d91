import { configure, waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { startGateway } from '../support/gateway.ts';
import { press, type } from '../support/input.ts';
import { existing } from '../support/panel.ts';
import { PATIENCE } from '../support/patience.ts';

const SCRIPT = '/dist/whatsapp-operadores.js';
const NUMERO = '5491155550001';

configure({ asyncUtilTimeout: PATIENCE });

/** Opens a page in an iframe, without the script. */
async function openPage(): Promise<Window & typeof globalThis> {
  const frame = document.createElement('iframe');
  frame.src = new URL('plain-page.html', import.meta.url).href;
  document.body.append(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  const page = frame.contentDocument?.defaultView;
  if (!page) throw new Error('the page did not open');
  return page;
}

async function load(page: Window, attributes: Record<string, string> = {}): Promise<void> {
  const script = page.document.createElement('script');
  for (const [name, value] of Object.entries({ src: SCRIPT, ...attributes }))
    script.setAttribute(name, value);
  const loaded = new Promise((resolve) => script.addEventListener('load', resolve));
  page.document.head.append(script);
  await loaded;
}

/** Collects the warnings, or the errors, in the page's console. */
function collect(page: Window & typeof globalThis, kind: 'warn' | 'error'): string[] {
  const lines: string[] = [];
  page.console[kind] = (...args: unknown[]) => lines.push(args.map(String).join(' '));
  return lines;
}

afterEach(() => {
  for (const frame of document.querySelectorAll('iframe')) frame.remove();
});

describe('the script', () => {
  const ways: Record<string, string>[] = [{}, { defer: '' }, { type: 'module' }];
  for (const attributes of ways) {
    it(`brings the panel to a plain page: ${JSON.stringify(attributes)}`, async () => {
      const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
      const page = await openPage();
      const globals = Object.keys(page);
      const element = page.document.createElement('whatsapp-operadores');
      element.setAttribute('api-base', `${gateway.url}/api`);
      element.setAttribute('socket-origin', gateway.url);
      page.document.body.append(element);
      await load(page, attributes);
      await waitFor(() =>
        expect(element.shadowRoot?.querySelector('article')?.textContent).to.include(NUMERO),
      );
      expect(Object.keys(page)).to.deep.equal(globals);
      expect(page.document.querySelectorAll('style, link')).to.have.length(0);
    });
  }

  it('included twice defines the element once', async () => {
    const page = await openPage();
    const warned = collect(page, 'warn');
    await load(page);
    const first = page.customElements.get('whatsapp-operadores');
    await load(page);
    expect(page.customElements.get('whatsapp-operadores')).to.equal(first);
    expect(warned).to.deep.equal([]);
  });

  it('in another version than the first is reported in the console, and the first stays', async () => {
    const page = await openPage();
    const warned = collect(page, 'warn');
    class Older extends page.HTMLElement {
      static readonly version = '0.0.1';
    }
    page.customElements.define('whatsapp-operadores', Older);
    await load(page);
    expect(page.customElements.get('whatsapp-operadores')).to.equal(Older);
    expect(warned).to.have.length(1);
    expect(warned[0]).to.match(/version \d+\.\d+\.\d+ is not used: the page has 0\.0\.1/);
  });

  it('says in the console that the tag lacks its end, which swallows the rest of the page', async () => {
    const page = await openPage();
    const lines = collect(page, 'error');
    page.document.body.innerHTML = '<whatsapp-operadores /><h2>Pie</h2>';
    await load(page);
    await waitFor(() => expect(lines.join()).to.include('</whatsapp-operadores>'));
  });

  const orders: Record<string, [script: string, token: string]> = {
    'a script at the end of the page': ['<script src="%"></script>', '<script>'],
    'a module, after a deferred script': ['<script src="%" defer></script>', '<script type="module">'],
    'a module, after a module': ['<script src="%" type="module"></script>', '<script type="module">'],
  };
  for (const [what, [script, token]] of Object.entries(orders)) {
    it(`sends nothing before the token that the page sets in ${what}`, async () => {
      const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
      const frame = document.createElement('iframe');
      frame.srcdoc = `<!doctype html><html lang="es"><title>Página</title>${script.replace('%', SCRIPT)}
        <whatsapp-operadores api-base="${gateway.url}/api" socket-origin="${gateway.url}"></whatsapp-operadores>
        ${token}document.querySelector('whatsapp-operadores').token = 'secreto';</script></html>`;
      document.body.append(frame);
      const panel = () => frame.contentDocument?.querySelector('whatsapp-operadores')?.shadowRoot;
      await waitFor(() => {
        const card = panel()?.querySelector('article');
        expect(card, panel()?.textContent ?? 'no panel').to.be.ok;
        expect(card?.textContent).to.include(NUMERO);
      });
      await waitFor(async () => expect(await gateway.handshakes()).to.have.length(1));
      const bearers = (await gateway.requests()).map(({ headers }) => headers.authorization);
      expect(new Set(bearers)).to.deep.equal(new Set(['Bearer secreto']));
      expect((await gateway.handshakes()).map(({ auth }) => auth)).to.deep.equal([{ token: 'secreto' }]);
      expect(panel()?.querySelectorAll('[role="alert"]')).to.have.length(0);
    });
  }
});

describe('a page with other built-ins', () => {
  /** Adds a panel with one session to a page whose scripts have run, and sends a test message. */
  async function send(replace: (page: Window & typeof globalThis) => void) {
    const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    const page = await openPage();
    const lines = collect(page, 'error');
    replace(page);
    await load(page);
    const element = page.document.createElement('whatsapp-operadores');
    element.setAttribute('api-base', `${gateway.url}/api`);
    element.setAttribute('socket-origin', gateway.url);
    page.document.body.append(element);
    const root = await waitFor(() => existing(element.shadowRoot));
    const [text, to] = await waitFor(() => {
      const inputs = [...root.querySelectorAll<HTMLInputElement>('.test-message input')];
      expect(inputs).to.have.length(2);
      return inputs;
    });
    text?.focus();
    await type('Hola');
    to?.focus();
    await type('34600000009');
    await press('Enter');
    const sent = await waitFor(async () => existing((await gateway.requests('POST', '/api/message'))[0]));
    return { root, lines, sent };
  }

  it('such as an Array.from without iterables shows the list without notices, and its console says so', async () => {
    const { root, lines } = await send(({ Array: array }) => {
      // As in MooTools.
      array.from = (item: unknown) => [item];
    });
    await waitFor(() => expect(lines.join()).to.include('TypeError'));
    expect(root.querySelector('article')?.textContent).to.include(NUMERO);
    expect(lines.filter((line) => line.includes('the page replaces Array.from'))).to.have.length(1);
  });

  it('such as a toJSON of arrays gets the same answers', async () => {
    const { lines, sent } = await send(({ Array: array }) => {
      // As in Prototype 1.6.
      Object.assign(array.prototype, {
        toJSON(this: unknown[]) {
          return `[${this.map((item) => JSON.stringify(item)).join(', ')}]`;
        },
      });
    });
    expect(sent.body).to.deep.include({ remitente: NUMERO, ids: [1] });
    expect(lines).to.deep.equal([]);
  });
});
