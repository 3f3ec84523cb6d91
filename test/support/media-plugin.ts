import { ChromeLauncher } from '@web/test-runner-chrome';
import type { TestRunnerPlugin } from '@web/test-runner-core';

type Page = ReturnType<ChromeLauncher['getPage']>;

/** Emulated media; the others have the browser's defaults. */
export interface Media {
  /** In Chromium only. */
  readonly type?: 'print';
  readonly colorScheme?: 'light' | 'dark';
  readonly reducedMotion?: boolean;
  readonly forcedColors?: boolean;
}

/** The command `media`: emulates these media features. */
export function mediaPlugin(): TestRunnerPlugin<Media> {
  const inChromium = chromiumMedia();
  return {
    name: 'media-command',
    async executeCommand({ command, payload: media, session: { browser, id } }) {
      if (command !== 'media' || !media) return undefined;
      if (!(browser instanceof ChromeLauncher)) throw new Error('This browser emulates no media.');
      await (browser.name === 'Firefox' ? inFirefox : inChromium)(browser.getPage(id), media);
      return true;
    },
  };
}

/** Uses the DevTools protocol: puppeteer's own method has no forced colours. */
function chromiumMedia() {
  const open = (page: Page) => page.createCDPSession();
  // A session's settings end with it.
  const sessions = new WeakMap<Page, ReturnType<typeof open>>();
  return async (page: Page, { type, colorScheme, reducedMotion, forcedColors }: Media) => {
    const session = sessions.get(page) ?? open(page);
    sessions.set(page, session);
    const features = [
      { name: 'prefers-color-scheme', value: colorScheme ?? '' },
      { name: 'prefers-reduced-motion', value: reducedMotion ? 'reduce' : '' },
      { name: 'forced-colors', value: forcedColors ? 'active' : '' },
    ];
    await (await session).send('Emulation.setEmulatedMedia', { media: type ?? '', features });
  };
}

/** Sets preferences, by WebDriver BiDi in the browser's own window. */
async function inFirefox(page: Page, { colorScheme, reducedMotion, forcedColors }: Media): Promise<void> {
  const preferences = {
    'ui.systemUsesDarkTheme': colorScheme === 'dark' ? 1 : 0,
    'ui.prefersReducedMotion': reducedMotion ? 1 : 0,
    // 0: as the system; 2: always.
    'browser.display.document_color_use': forcedColors ? 2 : 0,
  };
  const connection: unknown = Reflect.get(page.browser(), 'connection');
  if (!isConnection(connection)) throw new Error('This puppeteer keeps its connection to Firefox elsewhere.');
  const { result } = await connection.send('browsingContext.getTree', { 'moz:scope': 'chrome' });
  await connection.send('script.evaluate', {
    expression: Object.entries(preferences)
      .map(([name, value]) => `Services.prefs.setIntPref('${name}', ${value});`)
      .join(''),
    target: { context: result.contexts?.[0]?.context },
    awaitPromise: false,
  });
}

/** Puppeteer's connection to Firefox, which its types leave out. */
interface Connection {
  send(
    method: string,
    params: object,
  ): Promise<{ readonly result: { readonly contexts?: readonly { readonly context: string }[] } }>;
}

function isConnection(value: unknown): value is Connection {
  return typeof value === 'object' && value !== null && 'send' in value;
}
