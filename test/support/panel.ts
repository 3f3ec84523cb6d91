import {
  type ByRoleMatcher,
  configure,
  findByRole,
  getByRole,
  queryAllByRole,
  waitFor,
} from '@testing-library/dom';
import { sendMouse } from '@web/test-runner-commands';
import { expect } from 'chai';
import './compare-elements.ts';
import type { WhatsappOperadoresElement } from '../../src/index.ts';
import { nextFrame } from './frame.ts';
import { type Gateway, startGateway, stopGateways } from './gateway.ts';
import { click, resetMouse } from './input.ts';
import { PATIENCE } from './patience.ts';
import { setWindow } from './viewport.ts';

const TAG = 'whatsapp-operadores';
const WINDOW = { width: 1000, height: 800 };
/** Notices last as long as a test may wait for one. */
const DEFAULTS = { 'notification-timeout': '60000' };

/** An exact name, or a pattern. */
type Name = string | RegExp;

configure({
  asyncUtilTimeout: PATIENCE,
  // The default message prints the container, which fails for a shadow root.
  getElementError: (message) => new Error(message ?? undefined),
});

/** Testing Library accepts anything with `querySelectorAll`; only its types require an element. */
const container = (root: ParentNode) => root as HTMLElement;

/** Returns the value, or throws if there is none, so that `waitFor` tries again. */
export function existing<T>(found: T | null | undefined): T {
  if (found === null || found === undefined) throw new Error('there is no such thing');
  return found;
}

/** Attributes besides those of the server; `null` removes a default of the tests. */
type Attributes = Readonly<Record<string, string | null>>;

/** Mounts a panel, on a gateway if one is given. It is removed after the test. */
export async function mount(gateway?: Gateway, attributes: Attributes = {}): Promise<Panel> {
  await customElements.whenDefined(TAG);
  const element = document.createElement(TAG);
  const server = gateway && { 'api-base': `${gateway.url}/api`, 'socket-origin': gateway.url };
  for (const [name, value] of Object.entries({ ...DEFAULTS, ...server, ...attributes }))
    if (value !== null) element.setAttribute(name, value);
  document.body.append(element);
  return new Panel(element);
}

/**
 * Mounts a panel and waits until it is connected, has the list that it requests on connecting, and shows all of it, with
 * what the gateway announced.
 */
export async function mountReady(gateway: Gateway, attributes?: Attributes): Promise<Panel> {
  const panel = await mount(gateway, attributes);
  let connected = false;
  let listed: readonly { readonly state: string }[] = [];
  panel.element.addEventListener('wo-connection-change', ({ detail }) => {
    connected = detail.connected;
  });
  panel.element.addEventListener('wo-sessions', ({ detail }) => {
    listed = detail.sessions;
  });
  await waitFor(() => expect(connected).to.equal(true));
  // What was asked for at the start may be answered later, but no longer changes the list.
  await panel.element.refresh();
  await panel.ready();
  const shows = (selector: string, count: number) =>
    waitFor(() => expect(panel.root.querySelectorAll(selector)).to.have.length.at.least(count));
  await shows('article', listed.length);
  // An announcement comes after the connection, and may come after the list.
  if (gateway.announces('details')) {
    const connected = listed.filter(({ state }) => state === 'CONNECTED').length;
    const isNamed = (title: Element) => title.textContent !== title.closest('article')?.dataset.numero;
    await waitFor(() => {
      const named = [...panel.root.querySelectorAll('article h3')].filter(isNamed);
      expect(named).to.have.length.at.least(connected);
    });
  }
  if (gateway.announces('label', 'link', 'unlink')) {
    await shows('[aria-haspopup="menu"]', panel.root.querySelectorAll('article .actions').length);
  }
  return panel;
}

/** Starts a gateway with these options and mounts a panel on it, as {@link mountReady} does. */
export async function openPanel(options?: Parameters<typeof startGateway>[0], attributes?: Attributes) {
  const gateway = await startGateway(options);
  return { gateway, panel: await mountReady(gateway, attributes) };
}

/** The sentence of a notice, without what is above it: its session, and what failed. */
function textOf(notice: Element): string {
  return existing(notice.querySelector('.notice-text')).textContent;
}

/** A mounted panel, with queries in its shadow root. */
export class Panel {
  readonly element: WhatsappOperadoresElement;

  constructor(element: WhatsappOperadoresElement) {
    this.element = element;
  }

  get root(): ShadowRoot {
    const { shadowRoot } = this.element;
    if (!shadowRoot) throw new Error('the panel has no open shadow root');
    return shadowRoot;
  }

  /** The focused element inside the panel. */
  get focused(): Element | null {
    return this.root.activeElement;
  }

  get busy(): boolean {
    return this.root.querySelector('[aria-busy="true"]') !== null;
  }

  get(role: ByRoleMatcher, name?: Name, within: ParentNode = this.root): HTMLElement {
    return getByRole(container(within), role, { name });
  }

  all(role: ByRoleMatcher, name?: Name, within: ParentNode = this.root): HTMLElement[] {
    return queryAllByRole(container(within), role, { name });
  }

  /** Waits for the only element with that role and name. */
  find(role: ByRoleMatcher, name?: Name, within: ParentNode = this.root): Promise<HTMLElement> {
    return findByRole(container(within), role, { name });
  }

  button(name: Name, within: ParentNode = this.root): HTMLButtonElement {
    const button = this.get('button', name, within);
    if (button instanceof HTMLButtonElement) return button;
    throw new Error(`the button ${name} is a <${button.localName}>`);
  }

  textbox(name: Name, within: ParentNode = this.root): HTMLInputElement {
    const field = this.get('textbox', name, within);
    if (field instanceof HTMLInputElement) return field;
    throw new Error(`the text box ${name} is a <${field.localName}>`);
  }

  /** The last of the texts that describe a field: what is said of its value. */
  advice(field: Element): string {
    const id = field.getAttribute('aria-describedby')?.split(' ').at(-1) ?? '';
    return existing(this.root.getElementById(id)).textContent;
  }

  /** Waits for the card of a session, and brings it near the screen: far from it, it has no controls. */
  async card(numero: string): Promise<HTMLElement> {
    const card = await waitFor(() =>
      existing(this.all('article').find(({ dataset }) => dataset.numero === numero)),
    );
    await waitFor(() => {
      // Again if others have moved it away meanwhile, as they were drawn.
      if (card.dataset.outline) card.scrollIntoView({ block: 'nearest' });
      expect(card.dataset.outline).to.equal(undefined);
    });
    return card;
  }

  /** The numeros of the visible cards, in order. */
  numeros(): string[] {
    return this.all('article').map((card) => card.getAttribute('data-numero') ?? '');
  }

  /** Waits until the visible cards are those of these numeros, in order: a list may come some frames after a click. */
  async lists(numeros: readonly string[]): Promise<void> {
    await waitFor(() => expect(this.numeros()).to.deep.equal(numeros));
  }

  /**
   * Waits until a pushed state is shown. It is pushed until then: the list that each new connection requests may come
   * after a push, and shows the state as the gateway knows it.
   */
  async hears(gateway: Gateway, numero: string): Promise<void> {
    await waitFor(async () => {
      await gateway.push('session:change_state', { numero, state: 'OPENING' });
      expect(this.text).to.include('OPENING');
    });
  }

  /** The texts of the notices on the screen. */
  notices(): string[] {
    return this.#notices().map(textOf);
  }

  /** Waits for a notice with that text. */
  async notice(text: string): Promise<HTMLElement> {
    const found = await waitFor(() => {
      expect(this.notices()).to.include(text);
      return existing(this.#notices().find((notice) => textOf(notice) === text));
    });
    // The cards change in the same frame.
    await nextFrame();
    return found;
  }

  #notices(): HTMLElement[] {
    const [region] = this.all('region', 'Avisos');
    return region ? [...region.querySelectorAll<HTMLElement>('[role="status"], [role="alert"]')] : [];
  }

  /** The open dialog. */
  dialog(): HTMLDialogElement | null {
    return this.root.querySelector('dialog[open]');
  }

  /** Waits for an open dialog, and until it stands still. */
  async openDialog(): Promise<HTMLDialogElement> {
    const dialog = await waitFor(() => existing(this.dialog()));
    await Promise.allSettled(dialog.getAnimations().map(({ finished }) => finished));
    return dialog;
  }

  /** Opens the dialog that adds a session. */
  async openAddDialog(): Promise<HTMLDialogElement> {
    await click(this.button('Agregar una nueva sesión'));
    return this.openDialog();
  }

  /** Deletes a session by its card, which may be left out where there is one only, and confirms that. */
  async deleteSession(card?: HTMLElement): Promise<void> {
    await click(this.button('Eliminar Sesión', card));
    await click(this.button('Eliminar', await this.openDialog()));
  }

  /** Waits until the overlay is gone and the cards near the screen have their insides. */
  async ready(): Promise<void> {
    await waitFor(() => existing(this.root.querySelector('[aria-busy="false"]')));
    await this.settled();
  }

  /** Waits until the cards near the screen have their insides. */
  async settled(): Promise<void> {
    const isNear = (card: Element) => {
      const { top, bottom, height } = card.getBoundingClientRect();
      return height > 0 && top < 2 * innerHeight && bottom > -innerHeight;
    };
    // An outline near the screen is about to get its inside.
    await waitFor(() =>
      expect([...this.root.querySelectorAll('article[data-outline]')].filter(isNear)).to.deep.equal([]),
    );
  }

  /** The text of what is between its header and its footer, without what is announced. */
  get mainText(): string {
    return existing(this.root.querySelector('.main')).textContent;
  }

  /** All its text. */
  get text(): string {
    return this.root.textContent ?? '';
  }
}

beforeEach(() => setWindow(WINDOW));

afterEach(async () => {
  for (const element of document.querySelectorAll(TAG)) element.remove();
  await stopGateways();
  await resetMouse();
  // In Firefox resetMouse releases the buttons but does not move the mouse. Its next position counts from [0, 0], and a
  // move to where a pointer is does nothing (WebDriver, 'dispatch a pointerMove action'): the last row would keep its `:hover`.
  await sendMouse({ type: 'move', position: [1, 1] });
});

/** Whether a button in the foot of a card is tinted, since it mends the state of its session. */
export const standsOut = (button: Element): boolean =>
  getComputedStyle(button).backgroundColor !== 'rgba(0, 0, 0, 0)';
