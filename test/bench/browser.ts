import { type Browser, type CDPSession, launch, type Page } from 'puppeteer-core';
import { CHROMIUM_FLAGS, findChromium } from '../support/find-chromium.mjs';
import { bundle, type PageName, pathOf } from './pages.ts';

/** An old office PC beside the machine that this runs on. */
const SLOWDOWN = 4;
/** How often, at half a second's distance, a page is looked at until it is quiet; on a busy machine it may never be. */
const SETTLING_LOOKS = 80;
/** A slow 4G network: 1.6 Mbit/s down, 750 kbit/s up, 150 ms there and back. */
const SLOW_NETWORK = {
  offline: false,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
  latency: 150,
};
const VIEWPORT = { width: 1280, height: 800 };

/** Seconds that the main thread has worked since the page was opened. */
interface Work {
  readonly all: number;
  readonly script: number;
}

export class Bench {
  readonly #browser: Browser;
  readonly #probe: string;

  private constructor(browser: Browser, probe: string) {
    this.#browser = browser;
    this.#probe = probe;
  }

  /** @param scrollBars - browsers without a window have none otherwise */
  static async launch({ scrollBars = false } = {}): Promise<Bench> {
    const executablePath = findChromium();
    if (executablePath === undefined) throw new Error('There is no Chromium; see CHROME_PATH in the README');
    const browser = await launch({
      executablePath,
      args: CHROMIUM_FLAGS,
      ignoreDefaultArgs: scrollBars && ['--hide-scrollbars'],
    });
    return new Bench(browser, await bundle('page/probe.ts'));
  }

  version(): Promise<string> {
    return this.#browser.version();
  }

  /**
   * Opens a page as a first visit, with nothing cached, and closes it when `use` is done with it. Rejects when the page fails.
   *
   * @param mayLog - whether the panel may log errors, as it does without a server
   */
  async visit<T>(
    url: string,
    name: PageName,
    use: (visit: Visit) => Promise<T>,
    { slowdown = SLOWDOWN, slowNetwork = false, mayLog = false } = {},
  ): Promise<T> {
    const context = await this.#browser.createBrowserContext();
    try {
      const page = await context.newPage();
      await page.setViewport(VIEWPORT);
      await page.evaluateOnNewDocument(this.#probe);
      const devtools = await page.createCDPSession();
      await devtools.send('Performance.enable');
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
      // The browser starts a process for a site that is new to it: that is no page's doing.
      await page.goto(url + pathOf('bare'));
      if (slowNetwork) await devtools.send('Network.emulateNetworkConditions', SLOW_NETWORK);
      await page.goto(url + pathOf(name));
      return await Promise.race([use(new Visit(page, devtools)), failureOf(page, mayLog)]);
    } finally {
      await context.close();
    }
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}

/** Rejects when the page fails: what is waited for would never come. */
function failureOf(page: Page, mayLog: boolean): Promise<never> {
  return new Promise((_resolve, reject) => {
    page.on('pageerror', reject);
    if (mayLog) return;
    page.on('console', (message) => {
      if (message.text().startsWith('whatsapp-operadores:')) reject(new Error(message.text()));
    });
  });
}

/** An open page. */
export class Visit {
  readonly page: Page;
  readonly devtools: CDPSession;

  constructor(page: Page, devtools: CDPSession) {
    this.page = page;
    this.devtools = devtools;
  }

  firstCard(): Promise<number> {
    return this.page.evaluate(() => bench.firstCard);
  }

  firstCode(): Promise<number> {
    return this.page.evaluate(() => bench.firstCode);
  }

  /** Until pushes come by WebSocket, and what the page does at its opening is over. */
  async settled(): Promise<void> {
    await this.page.evaluate(() => bench.firstCard);
    await this.page.evaluate(() => bench.openingEnded());
    let before = await this.work();
    for (let look = 0; look < SETTLING_LOOKS; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      const now = await this.work();
      if (now.all - before.all < 0.15) return;
      before = now;
    }
  }

  async work(): Promise<Work> {
    const { metrics } = await this.devtools.send('Performance.getMetrics');
    const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    return { all: value('TaskDuration'), script: value('ScriptDuration') };
  }

  /** Bytes that are in use after the garbage has been collected. */
  async heap(): Promise<number> {
    // Twice: what the first collection frees may have held other things by weak references.
    await this.devtools.send('HeapProfiler.collectGarbage');
    await this.devtools.send('HeapProfiler.collectGarbage');
    const { metrics } = await this.devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0;
  }

  /** Types all the time, without waiting for the page, until it is told to stop. */
  typing(keys: string, everyMs: number): { stop(): Promise<void> } {
    const pressed: Promise<void>[] = [];
    const timer = setInterval(() => {
      pressed.push(this.press(keys[pressed.length % keys.length] ?? ''));
    }, everyMs);
    return {
      async stop() {
        clearInterval(timer);
        await Promise.all(pressed);
      },
    };
  }

  /** Presses a key; resolves when the page has had it. */
  async press(key: string): Promise<void> {
    const [code, text] = key === 'Backspace' ? [8, undefined] : [key.charCodeAt(0), key];
    const event = { key, windowsVirtualKeyCode: code };
    await this.devtools.send('Input.dispatchKeyEvent', {
      type: text === undefined ? 'rawKeyDown' : 'keyDown',
      ...event,
      ...(text !== undefined && { text }),
    });
    await this.devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }
}
