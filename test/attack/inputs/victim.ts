import assert from 'node:assert/strict';
import type { ElementHandle, Page } from 'puppeteer-core';
import type { Scope } from '../../support/scope.ts';
import { until } from '../../support/until.ts';
import { launchChromium } from '../chromium.ts';
import type { OddValue } from './odd-values.ts';

/** No outside host may be contacted, whatever a page does. */
const NOBODY_OUTSIDE = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';
const TAG = 'whatsapp-operadores';
const CRASHED = 'El panel tuvo un error inesperado';

export type Way = 'typed' | 'pasted';

declare global {
  interface Window {
    hacked(): void;
    oddPanel: HTMLElement;
    longestPause: number;
  }
}

/** The page with the panel, with the browser's and the operator's view of it. */
export class Victim {
  readonly page: Page;
  readonly #faults: string[] = [];
  readonly #requested = new Set<string>();
  readonly #allowed = new Set<string>();

  private constructor(page: Page, origin: string) {
    this.page = page;
    this.#allowed.add(origin);
  }

  static async open(scope: Scope, origin: string): Promise<Victim> {
    const browser = await launchChromium(scope, [NOBODY_OUTSIDE], { downloadBehavior: { policy: 'deny' } });
    const victim = new Victim(await browser.newPage(), origin);
    await victim.#watch();
    await victim.page.goto(origin);
    await victim.page.evaluate(`window.oddPanel = document.querySelector('${TAG}')`);
    return victim;
  }

  async #watch(): Promise<void> {
    const { page } = this;
    page.on('pageerror', (error) => this.#faults.push(`uncaught: ${error}`));
    page.on('error', (error) => this.#faults.push(`crashed: ${error}`));
    page.on('popup', () => this.#faults.push('a window was opened'));
    page.on('dialog', (dialog) => {
      this.#faults.push(`a dialog: ${dialog.message()}`);
      dialog.dismiss().catch(() => {});
    });
    page.on('framenavigated', () => this.#requested.add(page.url()));
    page.on('request', (request) => this.#requested.add(request.url()));
    const client = await page.createCDPSession();
    client.on('Network.webSocketCreated', ({ url }) => this.#requested.add(url));
    await client.send('Network.enable');
    await page.exposeFunction('hacked', () => {
      this.#faults.push('markup ran');
    });
  }

  /** Asserts that nothing was thrown, nothing ran or became markup, and no other host was contacted. */
  async check(): Promise<void> {
    const foreign = [...this.#requested].filter((url) => {
      if (/^(data|blob):/.test(url)) return false;
      return !this.#allowed.has(httpOrigin(url));
    });
    assert.deepEqual(this.#faults, []);
    assert.deepEqual(foreign, []);
    assert.deepEqual(await this.page.evaluate(foreignMarkup), []);
    assert.ok(!(await this.page.evaluate(textOfPanel)).includes(CRASHED), CRASHED);
  }

  /** Defines the element. */
  async load(): Promise<void> {
    await this.page.addScriptTag({ url: '/script.js' });
    await this.#allowAddresses();
  }

  /** Sets something on the element as a page does; exceptions that the page itself gets are its own. */
  async set({ kind, name, source }: OddValue): Promise<void> {
    const key = JSON.stringify(name);
    const statement = kind === 'attribute' ? `setAttribute(${key}, ${source})` : `[${key}] = ${source}`;
    const access = kind === 'attribute' ? '.' : '';
    await this.page.evaluate(`try { oddPanel${access}${statement} } catch {}; undefined`);
    await this.#allowAddresses();
  }

  /** Allows requests to what the page names as its server. */
  async #allowAddresses(): Promise<void> {
    for (const origin of await this.page.evaluate(originsOfAttributes)) this.#allowed.add(httpOrigin(origin));
  }

  /** Restores all defaults, and the element's place on the page. */
  async heal(): Promise<void> {
    await this.page.evaluate(heal);
  }

  text(): Promise<string> {
    return this.page.evaluate(textOfPanel);
  }

  /** Returns the longest time for which the page did not answer while something happened, in milliseconds. */
  async longestPause(happens: () => Promise<unknown>): Promise<number> {
    const watch = await this.page.evaluate(watchPauses);
    await happens();
    return this.page.evaluate((timer) => {
      clearInterval(timer);
      return window.longestPause;
    }, watch);
  }

  refresh(): Promise<void> {
    return this.page.evaluate(refresh);
  }

  /** The state that the card of a session shows, if there is one. */
  stateOf(numero: string): Promise<string | null | undefined> {
    return this.page.evaluate(stateOnCard, numero);
  }

  numeros(): Promise<string[]> {
    return this.page.evaluate(numerosOfCards);
  }

  /** The one element with this selector in the panel, or in a card. */
  async find<K extends keyof HTMLElementTagNameMap>(
    selector: string,
    numero?: string,
  ): Promise<ElementHandle<HTMLElementTagNameMap[K]>> {
    return until(
      async () => {
        const found = await this.page.evaluateHandle(findInPanel, selector, numero ?? null);
        return found.asElement() as ElementHandle<HTMLElementTagNameMap[K]> | null;
      },
      `${selector} ${numero ?? ''}`,
    );
  }

  has(selector: string): Promise<boolean> {
    return this.page.evaluate((query) => !!window.oddPanel.shadowRoot?.querySelector(query), selector);
  }

  /** Replaces the text of a field, and returns what it then holds. */
  async put(field: ElementHandle<HTMLInputElement>, text: string, way: Way): Promise<string> {
    // A card that a search hid comes back once the browser has time.
    await until(() => field.evaluate((element) => element.checkVisibility()), 'the field to be shown');
    await field.evaluate(selectAll);
    await this.page.keyboard.press('Delete');
    if (way === 'pasted') await field.evaluate(paste, JSON.stringify(text));
    // Nobody can type half of a surrogate pair.
    else if (text !== '') await this.page.keyboard.sendCharacter(text.toWellFormed());
    return textIn(field);
  }
}

/** Returns the text of a field, half surrogate pairs included. */
export async function textIn(field: ElementHandle<HTMLInputElement>): Promise<string> {
  return JSON.parse(await field.evaluate(({ value }) => JSON.stringify(value)));
}

function httpOrigin(url: string): string {
  return (URL.parse(url)?.origin ?? url).replace(/^ws/, 'http');
}

// The rest runs in the page.

function originsOfAttributes(): string[] {
  return ['api-base', 'socket-origin'].flatMap((name) => {
    const text = window.oddPanel.getAttribute(name)?.trim() ?? '';
    return URL.parse(text, document.baseURI)?.origin ?? [];
  });
}

function heal(): void {
  const panel = window.oddPanel;
  for (const name of panel.getAttributeNames()) panel.removeAttribute(name);
  Reflect.set(panel, 'token', undefined);
  if (!panel.isConnected) document.body.append(panel);
}

function watchPauses(): number {
  let last = performance.now();
  window.longestPause = 0;
  return window.setInterval(() => {
    const now = performance.now();
    window.longestPause = Math.max(window.longestPause, now - last);
    last = now;
  }, 10);
}

async function refresh(): Promise<void> {
  await Reflect.apply(Reflect.get(window.oddPanel, 'refresh'), window.oddPanel, []);
}

function numerosOfCards(): string[] {
  const cards = window.oddPanel.shadowRoot?.querySelectorAll<HTMLElement>('article') ?? [];
  return [...cards].map(({ dataset }) => dataset.numero ?? '');
}

function stateOnCard(numero: string): string | null | undefined {
  const card = window.oddPanel.shadowRoot?.querySelector(`article[data-numero="${numero}"]`);
  return card?.querySelector('[part="state"]')?.textContent;
}

function findInPanel(selector: string, numero: string | null): Element | null {
  const root = window.oddPanel.shadowRoot;
  if (!root || numero === null) return root?.querySelector(selector) ?? null;
  const cards = [...root.querySelectorAll<HTMLElement>('article')];
  const card = cards.find(({ dataset }) => dataset.numero === numero);
  card?.scrollIntoView({ block: 'center' });
  return card?.querySelector(selector) ?? null;
}

function selectAll(field: HTMLInputElement): void {
  field.focus();
  field.select();
}

/** Does what a browser does on a paste. */
function paste(field: HTMLInputElement, json: string): void {
  const text = JSON.parse(json);
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const event = new ClipboardEvent('paste', {
    clipboardData,
    bubbles: true,
    cancelable: true,
    composed: true,
  });
  if (field.dispatchEvent(event)) document.execCommand('insertText', false, text);
}

function textOfPanel(): string {
  return window.oddPanel.shadowRoot?.textContent ?? '';
}

/** Elements that the panel never renders by itself. */
function foreignMarkup(): string[] {
  const all = [
    ...document.querySelectorAll('*'),
    ...(window.oddPanel.shadowRoot?.querySelectorAll('*') ?? []),
  ];
  const odd = all.filter(
    (element) =>
      element.matches('img, iframe, object, embed, a, base, b > *, [srcdoc], shadow *') ||
      (element.localName === 'script' && element.getAttribute('src') !== '/script.js') ||
      (element.localName === 'style' && element.getRootNode() !== document) ||
      element.getAttributeNames().some((name) => name.startsWith('on')),
  );
  return odd.map(({ outerHTML }) => outerHTML.slice(0, 200));
}
