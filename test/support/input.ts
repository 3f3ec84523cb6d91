/** Real mouse and keyboard input. */
import { resetMouse, sendKeys, sendMouse } from '@web/test-runner-commands';
import { nextFrame } from './frame.ts';

/**
 * Clicks the middle of an element. Throws if it has no size or is covered. Where the page moves it away just before the click,
 * the page is not told what is hit instead, and the element is clicked again.
 */
export async function click(element: Element, times = 1): Promise<void> {
  const view = element.ownerDocument.defaultView;
  let isHit = false;
  while (!isHit) {
    const position = await middleOf(element);
    assertHit(element, ...position);
    let first: boolean | undefined;
    const stopped = new AbortController();
    const keepMiss = (event: Event) => {
      if (event.type === 'pointerdown') first ??= event.composedPath().includes(element);
      if (first !== false) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
      view?.addEventListener(type, keepMiss, { capture: true, signal: stopped.signal });
    await Promise.all(Array.from({ length: times }, () => sendMouse({ type: 'click', position })));
    stopped.abort();
    isHit = first !== false;
  }
}

/** Clicks twice without a pause. */
export const doubleClick = (element: Element): Promise<void> => click(element, 2);

export async function clickAt(x: number, y: number): Promise<void> {
  await sendMouse({ type: 'click', position: [Math.round(x), Math.round(y)] });
}

export async function hover(element: Element): Promise<void> {
  await sendMouse({ type: 'move', position: await middleOf(element) });
}

/** Types a text into the focused element. */
export async function type(text: string): Promise<void> {
  await sendKeys({ type: text });
}

/** Presses keys one after the other: `press('Tab', 'Enter')`. */
export async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await sendKeys({ press: key });
}

/** Presses a key while another is held: `chord('Control', 'v')`. */
export async function chord(held: string, key: string): Promise<void> {
  await holding(held, () => press(key));
}

/** Does something while a key is held. */
export async function holding(held: string, act: () => Promise<void>): Promise<void> {
  await sendKeys({ down: held });
  try {
    await act();
  } finally {
    await sendKeys({ up: held });
  }
}

/** Clicks a text field and replaces its text. */
export async function fill(field: HTMLInputElement, text: string): Promise<void> {
  await click(field);
  field.select();
  await (text ? type(text) : press('Delete'));
}

export { resetMouse };

/** Frames without movement before a click: cards get their size some frames after they come on the screen. */
const STEADY_FRAMES = 4;

/** Scrolls to an element; gives its middle. */
async function middleOf(element: Element): Promise<[number, number]> {
  let box = new DOMRect();
  for (let steady = 0; steady < STEADY_FRAMES; ) {
    // Measured last: nothing moves between the last measurement and what follows.
    await nextFrame();
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const before = box;
    box = element.getBoundingClientRect();
    const still = before.x === box.x && before.y === box.y && before.width === box.width;
    steady = still ? steady + 1 : 0;
  }
  const { x, y, width, height } = box;
  if (width === 0 || height === 0) throw new Error(`${describe(element)} takes no room on the page`);
  return [Math.round(x + width / 2), Math.round(y + height / 2)];
}

function assertHit(element: Element, x: number, y: number): void {
  const root = element.getRootNode();
  const hit = (root instanceof ShadowRoot ? root : document).elementFromPoint(x, y);
  if (!hit || !(element.contains(hit) || element.shadowRoot?.contains(hit))) {
    throw new Error(`${describe(element)} is covered by ${hit ? describe(hit) : 'nothing of its own root'}`);
  }
}

function describe(element: Element): string {
  return `<${element.localName}> "${element.textContent?.trim().slice(0, 40)}"`;
}
