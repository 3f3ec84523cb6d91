import { after, afterEach, before } from 'node:test';
import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core';
import type { Seed } from '../../gateway/src/engines/simulated/seeds.ts';
import { createGateway, type Gateway } from '../../gateway/src/gateway.ts';
import { ManualClock } from '../../gateway/test/support/manual-clock.ts';
import { CHROMIUM_FLAGS, findChromium } from '../support/find-chromium.mjs';
import { PATIENCE } from '../support/patience.ts';
import { readCode } from '../support/read-code.ts';
import { until } from '../support/until.ts';

/** For elements in a shadow root: Puppeteer's default polling observes only changes of the document. */
export const VISIBLE = { visible: true } as const;

/** What the panel logs of the calls that the scenes' own servers refuse. */
export const RECORDED_FAILURE = /^whatsapp-operadores: RequestError: Request failed with status code \d{3}: /;

/** Where a numero has an article: its card in the panel, and its phone in the drawer. */
type Place = 'panel' | 'drawer';

export async function launchBrowser(): Promise<Browser> {
  return puppeteer.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
}

/** Returns the browser of the tests of a suite, after each of which the page and the gateway that it opened are closed. */
export function inBrowser(opened: () => { demo: DemoPage; gateway: Gateway }): () => Browser {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  afterEach(async () => {
    const { demo, gateway } = opened();
    await demo.page.close();
    await gateway.close();
  });
  return () => browser;
}

/** Opens the standalone page of a new gateway, whose clock the test moves. */
export async function openDemo(
  browser: Browser,
  { port = 0, sessions, width, height }: { port?: number; sessions: Seed[]; width?: number; height?: number },
) {
  const clock = new ManualClock();
  const gateway = createGateway({ port, sessions, clock });
  const demo = await DemoPage.open(browser, await gateway.listen(), width, height);
  return { clock, gateway, demo };
}

/** Whether that many panels are connected to a gateway, none of them in the middle of its upgrade to a WebSocket. */
export function panelsListen({ io }: Gateway, count: number): boolean {
  const sockets = [...io.of('/').sockets.values()];
  return sockets.length === count && sockets.every(({ conn }) => conn.transport.name === 'websocket');
}

/** Waits until every scene of the gallery has been played to its end. */
export async function scenesPlayed(demo: DemoPage): Promise<void> {
  const { page, missing } = demo;
  await until(async () => {
    if (missing.size > 0) return true;
    const waiting = await page.$$eval('iframe', (frames) => {
      const left = frames.filter(
        ({ contentDocument, inert }) => inert || !contentDocument?.documentElement.dataset.played,
      );
      // A scene acts on cards, which have nothing to act on far from the screen.
      left[0]?.scrollIntoView({ block: 'center' });
      return left.map(({ title }) => title);
    });
    if (waiting.length > 0) throw new Error(`still to be played: ${waiting.join(', ')}`);
    return (await page.$('iframe')) !== null;
  }, 'all scenes to be played');
  demo.expectWhole();
}

/** The standalone page in a real browser, as a person sees and uses it. */
export class DemoPage {
  readonly page: Page;
  /** Console errors and warnings, and policy violations. */
  readonly complaints: string[] = [];
  /** What its server failed to send of the page, its frames and their scripts. */
  readonly missing = new Set<string>();

  private constructor(page: Page) {
    this.page = page;
    page.setDefaultTimeout(PATIENCE);
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warn'].includes(message.type())) this.complaints.push(message.text());
    });
    page.on('response', (response) => {
      const isNeeded = ['document', 'script'].includes(response.request().resourceType());
      if (isNeeded && response.status() >= 400) this.missing.add(`${response.url()}: ${response.status()}`);
    });
  }

  /** Opens a page of the gateway at `url`, by default the standalone one. */
  static async open(browser: Browser, url: string, width = 1440, height = 900): Promise<DemoPage> {
    const demo = new DemoPage(await browser.newPage());
    await demo.page.evaluateOnNewDocument(reportViolations);
    await demo.page.setViewport({ width, height });
    // No smooth scrolling, so that nothing moves under the mouse.
    await demo.page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    await demo.visit(new URL(url).href);
    return demo;
  }

  /** Loads another page. */
  async visit(url: string): Promise<void> {
    await this.page.goto(url);
    this.expectWhole();
  }

  /** Throws where something is {@link missing}: what it would show would be waited for in vain. */
  expectWhole(): void {
    if (this.missing.size > 0) throw new Error(`Missing, or not built: ${[...this.missing].join(', ')}`);
  }

  /** Waits for the article of that numero. */
  async article(place: Place, numero: string): Promise<ElementHandle<Element>> {
    const found = await this.page.waitForFunction(findArticle, {}, place, numero);
    const element = found.asElement();
    if (!element) throw new Error(`${numero} is not in the ${place}`);
    return element as ElementHandle<Element>;
  }

  /** Waits until the article of that numero contains the text. */
  async says(place: Place, numero: string, text: string): Promise<void> {
    await this.#within(place, numero, text, true);
  }

  /** Waits until the article of that numero no longer contains the text. */
  async falls(place: Place, numero: string, text: string): Promise<void> {
    await this.#within(place, numero, text, false);
  }

  /** Looks the article up each time, since the page may replace it. */
  async #within(place: Place, numero: string, text: string, expected: boolean): Promise<void> {
    await until(
      async () => {
        const said = await this.text(place, numero);
        if (said.includes(text) === expected) return true;
        throw new Error(`it says '${said}'`);
      },
      `${numero} in the ${place} to say ${expected ? '' : 'no more '}'${text}'`,
    );
  }

  /** Returns what the article of that numero says now; a phone is opened for it. */
  async text(place: Place, numero: string): Promise<string> {
    const article = await this.page.evaluateHandle(findArticle, place, numero);
    await this.page.evaluate(openPhone, article);
    try {
      return await this.page.evaluate(visibleText, article);
    } finally {
      await article.dispose();
    }
  }

  /** Returns the text of the code on the card of that numero, read from the screen; undefined if there is none. */
  async codeOf(numero: string): Promise<string | undefined> {
    const card = await this.article('panel', numero);
    const code = await card.$('svg[role="img"]');
    return code ? readCode(code) : undefined;
  }

  /** Returns the numeros of the cards in the panel, in their order. */
  numeros(): Promise<string[]> {
    return this.page.$$eval('whatsapp-operadores >>> article', (articles) =>
      articles.map((article) => article.getAttribute('data-numero') ?? ''),
    );
  }

  /** Has the panel's notices last as long as a test may wait for one. */
  async keepNotices(): Promise<void> {
    const keep = (panel: Element, ms: number) => panel.setAttribute('notification-timeout', String(ms));
    await this.page.$eval('whatsapp-operadores', keep, PATIENCE);
  }

  /** Waits until a notice of the panel has the text, before which {@link keepNotices} has been called. */
  async tells(text: string): Promise<void> {
    await this.page.waitForSelector(`whatsapp-operadores >>> .notice-text::-p-text(${text})`, VISIBLE);
  }

  async gone(place: Place, numero: string): Promise<void> {
    const isThere = async () => (await this.page.evaluateHandle(findArticle, place, numero)).asElement();
    await until(async () => !(await isThere()), `${numero} to leave the ${place}`);
  }

  /** Presses a button of that numero with the mouse. */
  async press(place: Place, numero: string, name: string): Promise<void> {
    const article = await this.article(place, numero);
    await this.page.evaluate(openPhone, article);
    const button = await this.page.waitForFunction(
      (element, wanted) =>
        [...element.querySelectorAll('button')].find(
          (candidate) => candidate.textContent === wanted && candidate.checkVisibility(),
        ),
      {},
      article,
      name,
    );
    await (button.asElement() as ElementHandle<Element> | null)?.asLocator().click();
  }

  /** Clicks an element by its role and name, once it is visible and still, since a new one may be moving. */
  async click(role: string, name: string): Promise<void> {
    await (await this.byRole(role, name)).asLocator().click();
  }

  /** Waits until the server has answered an action on that numero's card. */
  async answered(numero: string): Promise<void> {
    const card = await this.article('panel', numero);
    await this.page.waitForFunction((element) => !element.querySelector('[aria-disabled="true"]'), {}, card);
  }

  /** Waits until the drawer has its second list, requested on connecting: later changes are news to it. */
  async isLive(): Promise<void> {
    await this.page.waitForFunction(() => {
      const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
      return loaded.filter((path) => path === '/simulator/phones').length >= 2;
    });
  }

  /** Finds an element by its role and name anywhere in the page. */
  async byRole(role: string, name: string): Promise<ElementHandle<Element>> {
    const found = await this.page.waitForSelector(`::-p-aria([name="${name}"][role="${role}"])`, {
      visible: true,
    });
    if (!found) throw new Error(`There is no ${role} '${name}'`);
    return found;
  }
}

/** Runs in the page: browsers do not log every policy violation in the console. */
function reportViolations(): void {
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    console.error(`violation of ${violatedDirective}: ${blockedURI}`);
  });
}

/** Runs in the page: what a click on the line of a closed phone does. */
function openPhone(article: Element | undefined): void {
  article?.querySelector<HTMLDetailsElement>('details.line')?.setAttribute('open', '');
}

/** Runs in the page: the visible text. */
function visibleText(article: Element | undefined): string {
  if (!article) throw new Error('it is not there');
  const texts = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  let said = '';
  while (texts.nextNode()) {
    if (texts.currentNode.parentElement?.checkVisibility()) said += texts.currentNode.nodeValue;
  }
  return said;
}

/** Runs in the page. */
function findArticle(place: Place, numero: string): Element | undefined {
  const root =
    place === 'panel'
      ? document.querySelector('whatsapp-operadores')?.shadowRoot
      : document.querySelector('aside');
  const articles = [...(root?.querySelectorAll('article') ?? [])];
  return articles.find(
    (article) => (article.getAttribute('data-numero') ?? article.querySelector('h3')?.textContent) === numero,
  );
}
