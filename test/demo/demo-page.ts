import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core';
import { CHROMIUM_FLAGS, findChromium } from '../support/find-chromium.mjs';
import { until } from '../support/until.ts';

/** For what waits in a shadow root: otherwise Puppeteer looks again at changes of the document alone. */
export const VISIBLE = { visible: true } as const;

/** Where a numero has an article: on its card in the panel, and on its phone in the drawer. */
type Place = 'panel' | 'drawer';

export async function launchBrowser(): Promise<Browser> {
  return puppeteer.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
}

/** The standalone page in a real browser, as a person sees it and handles it. */
export class DemoPage {
  readonly page: Page;
  /** What the console said that a clean page would not say: errors, warnings, refused policies. */
  readonly complaints: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.setDefaultTimeout(30_000);
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warn'].includes(message.type())) this.complaints.push(message.text());
    });
  }

  /** Opens a page of the gateway at `url`, the standalone one unless another address is given. */
  static async open(browser: Browser, url: string, width = 1440, height = 900): Promise<DemoPage> {
    const demo = new DemoPage(await browser.newPage());
    await demo.page.evaluateOnNewDocument(reportViolations);
    await demo.page.setViewport({ width, height });
    // Nothing glides away from under the mouse.
    await demo.page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    await demo.page.goto(new URL(url).href);
    return demo;
  }

  /** The article of that numero, as soon as there is one. */
  async article(place: Place, numero: string): Promise<ElementHandle<Element>> {
    const found = await this.page.waitForFunction(findArticle, {}, place, numero);
    const element = found.asElement();
    if (!element) throw new Error(`${numero} is not in the ${place}`);
    return element as ElementHandle<Element>;
  }

  /** Waits until the article of that numero says the text. */
  async says(place: Place, numero: string, text: string): Promise<void> {
    await this.#within(place, numero, text, true);
  }

  /** Waits until the article of that numero says the text no more. */
  async falls(place: Place, numero: string, text: string): Promise<void> {
    await this.#within(place, numero, text, false);
  }

  /** Looks for the article each time: the page may be about to put another one in its place. */
  async #within(place: Place, numero: string, text: string, expected: boolean): Promise<void> {
    await until(
      async () => {
        const article = await this.page.evaluateHandle(findArticle, place, numero);
        const said = await this.page.evaluate(visibleText, article);
        await article.dispose();
        if (said.includes(text) === expected) return true;
        throw new Error(`it says '${said}'`);
      },
      `${numero} in the ${place} to say ${expected ? '' : 'no more '}'${text}'`,
    );
  }

  async gone(place: Place, numero: string): Promise<void> {
    const isThere = async () => (await this.page.evaluateHandle(findArticle, place, numero)).asElement();
    await until(async () => !(await isThere()), `${numero} to leave the ${place}`);
  }

  /** Presses a button of that numero with the mouse. */
  async press(place: Place, numero: string, name: string): Promise<void> {
    const article = await this.article(place, numero);
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

  /**
   * Clicks something by its role and name, once it stands still and is on the screen: what has just come may still be
   * moving.
   */
  async click(role: string, name: string): Promise<void> {
    await (await this.byRole(role, name)).asLocator().click();
  }

  /** Waits until the server has answered to what was pressed on that numero's card. */
  async answered(numero: string): Promise<void> {
    const card = await this.article('panel', numero);
    await this.page.waitForFunction((element) => !element.querySelector('[aria-disabled]'), {}, card);
  }

  /** Waits until the drawer has its second list, which it asks for on connecting: what happens now is news to it. */
  async isLive(): Promise<void> {
    await this.page.waitForFunction(() => {
      const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
      return loaded.filter((path) => path === '/simulator/phones').length >= 2;
    });
  }

  /** Something by its role and name, wherever in the page it is. */
  async byRole(role: string, name: string): Promise<ElementHandle<Element>> {
    const found = await this.page.waitForSelector(`::-p-aria([name="${name}"][role="${role}"])`, {
      visible: true,
    });
    if (!found) throw new Error(`There is no ${role} '${name}'`);
    return found;
  }
}

/** Runs in the page: not every violation of a policy is told in the console by the browser itself. */
function reportViolations(): void {
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    console.error(`violation of ${violatedDirective}: ${blockedURI}`);
  });
}

/** Runs in the page: what is hidden is not said. */
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
  return articles.find((article) => article.querySelector('h3')?.textContent === numero);
}
