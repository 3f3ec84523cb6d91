import type { WebDriver } from './webdriver.ts';

/** WebDriver's codes of the keys without a character. */
const KEYS: Readonly<Record<string, string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Alt: '\uE00A',
  Control: '\uE009',
  Escape: '\uE00C',
  Home: '\uE011',
  End: '\uE010',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
};

const BUTTONS = { left: 0, middle: 1, right: 2 } as const;

/** Pixels between single clicks: beyond WebKit's double-click distance, and less than half a button. */
const APART = 12;

type Button = keyof typeof BUTTONS;

/** The page of a WebDriver session, with the puppeteer methods that the runner's commands call. */
export class WebDriverPage {
  readonly #driver: WebDriver;
  #last: Promise<unknown> = Promise.resolve();
  #underWay = 0;
  #lastClick: readonly [number, number] = [0, 0];

  constructor(driver: WebDriver) {
    this.#driver = driver;
  }

  readonly keyboard = {
    type: (text: string) => this.#keys([...text].flatMap(stroke)),
    press: (key: string) => this.#keys(stroke(key)),
    down: (key: string) => this.#keys([{ type: 'keyDown', value: characterOf(key) }]),
    up: (key: string) => this.#keys([{ type: 'keyUp', value: characterOf(key) }]),
  };

  readonly mouse = {
    move: (x: number, y: number) => this.#pointer([moveTo(x, y)]),
    click: (x: number, y: number, { button = 'left' }: { button?: Button } = {}) =>
      this.#pointer([
        this.#apart(x, y),
        { type: 'pointerDown', button: BUTTONS[button] },
        { type: 'pointerUp', button: BUTTONS[button] },
      ]),
    down: ({ button = 'left' }: { button?: Button } = {}) =>
      this.#pointer([{ type: 'pointerDown', button: BUTTONS[button] }]),
    up: ({ button = 'left' }: { button?: Button } = {}) =>
      this.#pointer([{ type: 'pointerUp', button: BUTTONS[button] }]),
    reset: async () => {
      await this.#driver.send('DELETE', '/actions');
      await this.mouse.move(0, 0);
    },
  };

  async goto(url: string): Promise<void> {
    await this.#driver.send('POST', '/url', { url });
  }

  url(): Promise<string> {
    return this.#driver.send('GET', '/url');
  }

  /** Resizes the window so that the page has this size. */
  async setViewport({ width, height }: { width: number; height: number }): Promise<void> {
    const script = 'return outerHeight - innerHeight';
    const bars = await this.#driver.send<number>('POST', '/execute/sync', { script, args: [] });
    await this.#driver.send('POST', '/window/rect', { width, height: height + bars });
  }

  /** The whole screen as a PNG in base64. */
  screenshot(): Promise<string> {
    return this.#driver.send('GET', '/screenshot');
  }

  /**
   * Moves a click a little aside unless the one before is still pending: WebKit takes two clicks at one place for a
   * double click, even on different elements.
   */
  #apart(x: number, y: number): object {
    const [lastX, lastY] = this.#lastClick;
    const isSecond = this.#underWay > 0;
    const near = Math.hypot(x - lastX, y - lastY) < APART;
    this.#lastClick = near && !isSecond ? [lastX > x ? x - APART : x + APART, y] : [x, y];
    return moveTo(...this.#lastClick);
  }

  #keys(actions: object[]): Promise<unknown> {
    return this.#act({ type: 'key', id: 'keyboard', actions });
  }

  #pointer(actions: object[]): Promise<unknown> {
    return this.#act({ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions });
  }

  /** Queues an action: the driver takes one at a time. */
  #act(source: object): Promise<unknown> {
    const act = () => this.#driver.send('POST', '/actions', { actions: [source] });
    this.#underWay += 1;
    this.#last = this.#last.then(act, act).finally(() => {
      this.#underWay -= 1;
    });
    return this.#last;
  }
}

function stroke(key: string): object[] {
  const value = characterOf(key);
  return [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ];
}

function characterOf(key: string): string {
  const value = KEYS[key] ?? key;
  if ([...value].length !== 1) throw new Error(`There is no key ${key} here: add it to the list.`);
  return value;
}

function moveTo(x: number, y: number): object {
  return { type: 'pointerMove', duration: 0, x: Math.round(x), y: Math.round(y) };
}
