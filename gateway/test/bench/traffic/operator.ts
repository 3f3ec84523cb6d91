/** What an operator does in a panel. */
import type { Visit } from '../../../../test/bench/browser.ts';

const PANEL = 'whatsapp-operadores >>>';

/** Types into the search, and waits for so many sessions to be shown. */
export async function search({ page }: Visit, text: string, found: number): Promise<void> {
  await page.type(`${PANEL} [type="search"]`, text);
  await page.waitForFunction(shows, {}, found);
}

/** Chooses a group, and waits for its sessions. */
export async function chooseGroup({ page }: Visit, group: string, found: number): Promise<void> {
  await page.select(`${PANEL} .bar-group`, `=${group}`);
  await page.waitForFunction(shows, {}, found);
}

/** Fills in the form of a session; the returned function sends it. */
export async function typeMessage({ page }: Visit, from: string, to: string): Promise<() => Promise<void>> {
  const card = `${PANEL} article[data-numero="${from}"]`;
  await page.$eval(card, (element) => element.scrollIntoView());
  // A card far from the screen has no form.
  await page.waitForSelector(`${card} form`);
  const [text, number] = await page.$$(`${card} .test-message input`);
  await text?.type('Hola');
  await number?.type(to);
  return () => page.keyboard.press('Enter');
}

/** Has the host page ask for the list. */
export async function refresh({ page }: Visit): Promise<void> {
  await page.$eval('whatsapp-operadores', (panel) => panel.refresh());
}

function shows(count: number): boolean {
  const root = document.querySelector('whatsapp-operadores')?.shadowRoot;
  return root?.querySelectorAll('article:not([hidden])').length === count;
}
