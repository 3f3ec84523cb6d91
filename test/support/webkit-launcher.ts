import type { BrowserLauncher, SessionResult } from '@web/test-runner-core';
import { WebDriver } from './webdriver.ts';
import { WebDriverPage } from './webdriver-page.ts';

/** WebKitGTK in one window, for a runner with a concurrency of 1. */
export class WebKitLauncher implements BrowserLauncher {
  readonly name = 'WebKit';
  /** Makes the runner's commands use the puppeteer methods of the page. */
  readonly type = 'puppeteer';

  readonly #driverPath: string;
  #driver: WebDriver | undefined;
  #page: WebDriverPage | undefined;
  #sessionId: string | undefined;

  constructor(driverPath: string) {
    this.#driverPath = driverPath;
  }

  async stop(): Promise<void> {
    await this.#driver?.stop();
  }

  async startSession(sessionId: string, url: string): Promise<void> {
    this.#driver ??= await WebDriver.start(this.#driverPath);
    this.#page ??= new WebDriverPage(this.#driver);
    this.#sessionId = sessionId;
    await this.#page.goto(url);
  }

  async startDebugSession(): Promise<void> {
    throw new Error('WebKit is not here for debugging.');
  }

  isActive(sessionId: string): boolean {
    return sessionId === this.#sessionId;
  }

  getBrowserUrl(sessionId: string): Promise<string> {
    return this.getPage(sessionId).url();
  }

  async stopSession(sessionId: string): Promise<SessionResult> {
    // Ends whatever still runs on the page.
    await this.getPage(sessionId).goto('about:blank');
    this.#sessionId = undefined;
    return {};
  }

  getPage(sessionId: string): WebDriverPage {
    if (!this.#page || sessionId !== this.#sessionId) throw new Error(`There is no session ${sessionId}.`);
    return this.#page;
  }
}
