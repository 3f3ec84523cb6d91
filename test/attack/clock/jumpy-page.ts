import type { CDPSession, Page } from 'puppeteer-core';
import type { Scope } from '../../support/scope.ts';
import { launchChromium } from '../chromium.ts';
import { fakeClock } from './fake-clock.ts';

/** What a card shows. */
interface Card {
  readonly text: string;
  /** Whether there is a code that a phone could scan. */
  readonly code: boolean;
  /** Whether an action on it is pending. */
  readonly busy: boolean;
}

/** A page with a panel whose clock can jump, and that can be frozen as on a sleeping laptop. */
export class JumpyPage {
  readonly thrown: string[] = [];
  readonly #page: Page;
  readonly #client: CDPSession;

  private constructor(page: Page, client: CDPSession) {
    this.#page = page;
    this.#client = client;
    page.on('pageerror', (error) => this.thrown.push(String(error)));
  }

  /** @param beginning initial time, in milliseconds since 1970 */
  static async open(scope: Scope, url: string, beginning: number, zone: string): Promise<JumpyPage> {
    const browser = await launchChromium(scope);
    const page = await browser.newPage();
    const jumpy = new JumpyPage(page, await page.createCDPSession());
    await page.emulateTimezone(zone);
    await page.evaluateOnNewDocument(fakeClock, beginning);
    await page.goto(url);
    return jumpy;
  }

  async jump(ms: number): Promise<void> {
    await this.#page.evaluate((by) => jump(by), ms);
  }

  /** Freezes the page's tasks until the returned function is called. */
  async freeze(): Promise<() => Promise<void>> {
    await this.#client.send('Page.setWebLifecycleState', { state: 'frozen' });
    return async () => {
      await this.#client.send('Page.setWebLifecycleState', { state: 'active' });
    };
  }

  card(numero: string): Promise<Card | undefined> {
    return this.#page.evaluate(cardOf, numero);
  }

  text(): Promise<string> {
    return this.#page.evaluate(textOf);
  }

  async refresh(): Promise<void> {
    await this.#page.evaluate(async () => document.querySelector('whatsapp-operadores')?.refresh());
  }

  online(): Promise<boolean> {
    return this.#page.evaluate(
      () => !document.querySelector('whatsapp-operadores')?.matches(':state(offline)'),
    );
  }

  /** Presses a button of a card by its text; false if there is none. */
  press(numero: string, name: string): Promise<boolean> {
    return this.#page.evaluate(pressIn, numero, name);
  }
}

// The rest runs in the page.

function cardOf(numero: string) {
  const root = document.querySelector('whatsapp-operadores')?.shadowRoot;
  const card = root?.querySelector(`article[data-numero="${numero}"]`);
  if (!card) return undefined;
  card.scrollIntoView({ block: 'start' });
  const code = card.querySelector('.qr-drawing:not([aria-hidden="true"]) svg') !== null;
  const busy = card.querySelector('.actions [aria-disabled="true"]') !== null;
  return { text: card.textContent ?? '', code, busy };
}

function textOf(): string {
  return document.querySelector('whatsapp-operadores')?.shadowRoot?.textContent ?? '';
}

function pressIn(numero: string, name: string): boolean {
  const root = document.querySelector('whatsapp-operadores')?.shadowRoot;
  const buttons = root?.querySelectorAll<HTMLElement>(`article[data-numero="${numero}"] button`) ?? [];
  const button = [...buttons].find(({ textContent }) => textContent === name);
  button?.click();
  return button !== undefined;
}
