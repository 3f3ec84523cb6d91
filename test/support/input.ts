/** Real mouse and keyboard input. */
import { resetMouse, sendKeys, sendMouse } from '@web/test-runner-commands';
import { nextFrame } from './frame.ts';

/** Clicks the middle of an element. Throws if it has no size or stays covered. */
export async function click(element: Element): Promise<void> {
  const position = await aimAt(element);
  await sendMouse({ type: 'click', position });
}

/** Clicks twice without a pause. */
export async function doubleClick(element: Element): Promise<void> {
  const position = await aimAt(element);
  const first = sendMouse({ type: 'click', position });
  await Promise.all([first, sendMouse({ type: 'click', position })]);
}

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

/** How often an element that something covers is aimed at again. */
const AIMS = 10;

/** Scrolls to an element; gives its middle. */
async function middleOf(element: Element): Promise<[number, number]> {
  let box = new DOMRect();
  for (let steady = 0; steady < STEADY_FRAMES; ) {
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const before = box;
    box = element.getBoundingClientRect();
    const still = before.x === box.x && before.y === box.y && before.width === box.width;
    steady = still ? steady + 1 : 0;
    await nextFrame();
  }
  const { x, y, width, height } = box;
  if (width === 0 || height === 0) throw new Error(`${describe(element)} takes no room on the page`);
  return [Math.round(x + width / 2), Math.round(y + height / 2)];
}

/** Gives the middle of an element once a click there would hit it: what is shown meanwhile can still move it away. */
async function aimAt(element: Element): Promise<[number, number]> {
  for (let attempt = 1; ; attempt++) {
    const position = await middleOf(element);
    const hit = elementAt(element.getRootNode(), ...position);
    if (hit && (element.contains(hit) || element.shadowRoot?.contains(hit))) return position;
    if (attempt === AIMS) {
      throw new Error(
        `${describe(element)} is covered by ${hit ? describe(hit) : 'nothing of its own root'}`,
      );
    }
  }
}

function elementAt(root: Node, x: number, y: number): Element | null {
  return (root instanceof ShadowRoot ? root : document).elementFromPoint(x, y);
}

function describe(element: Element): string {
  return `<${element.localName}> "${element.textContent?.trim().slice(0, 40)}"`;
}
