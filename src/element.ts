import r2wc from '@r2wc/react-to-web-component';
import { type Labels, parseLabels } from './labels.ts';
import { log } from './log.ts';
import { batch, keepIfEqual, Observable } from './observable.ts';
import { Panel, type PanelProps } from './panel.tsx';
import { createServer, type Token } from './server/server.ts';
import { joinServer } from './server/shared-server.ts';
import type { Names } from './session/session.ts';
import {
  attributeName,
  attributes,
  checkAttribute,
  readAttributes,
  reflectAttributes,
  type ServerSettings,
  type Settings,
  serverAttributes,
  viewAttributes,
} from './settings.ts';
import type { PanelEventMap, PanelEventTarget } from './store/events.ts';
import { createStore, type Store } from './store/store.ts';
import { adoptStyles } from './style-sheet.ts';
import { title } from './texts/sentences.ts';
import { createTranslate, type Texts, type Translate } from './texts/translate.ts';
import { KeyStop } from './ui/input.ts';

export type { Labels } from './labels.ts';
export { RequestError } from './server/errors.ts';
export type { Token } from './server/server.ts';
export type { Session } from './session/session.ts';
export type { Asks } from './session/states.ts';
export type { Credentials, NoticePosition, Order, ShownView, View } from './settings.ts';
export type { Action, PanelEventDetails, PanelEventMap } from './store/events.ts';
export type { Texts } from './texts/translate.ts';

declare global {
  interface DocumentEventMap extends PanelEventMap {}
}

/**
 * The element of r2wc, as its users may see it, with the properties that reflect the attributes. It lacks the prop of
 * {@link Panel}: with it, everybody who compiles against our types would need React's.
 */
type Base = new () => PanelEventTarget &
  Settings &
  HTMLElement & {
    connectedCallback(): void;
    disconnectedCallback(): void;
  };

const created =
  typeof HTMLElement === 'undefined'
    ? // Without elements, as in Node, an empty class lets the module be imported.
      class {}
    : // Without a type, no attribute sets the prop: the element reads its attributes itself.
      r2wc<{ panel: PanelProps }>(Panel, { shadow: 'open', props: { panel: undefined } });
reflectAttributes(created.prototype);

/** The compiler does not know that the empty class is never used, nor which properties are defined at run time. */
const Base = created as unknown as Base;

export const version = '0.1.0';

/**
 * `<whatsapp-operadores>`: the administration panel for WhatsApp sessions, in Spanish.
 *
 * It joins its server at the end of the task in which it is connected to a page, but not before the page has been parsed.
 * Attributes and properties may change at any time; changes in one task take effect together.
 * Each attribute has a property of the same name in camelCase (`readOnly` for `readonly`, as in HTML); setting it to null removes
 * the attribute.
 *
 * @tagname whatsapp-operadores
 *
 * @cssprop {<family-name>#} --wo-font - The font family of all text: the one thing that the panel should take from its page
 * @cssprop {<color>} --wo-accent - Background of the header
 * @cssprop {<color>} --wo-on-accent - Text of the header, and the add button
 * @cssprop {<color>} --wo-action - Buttons and the focus ring
 * @cssprop {<color>} --wo-on-action - Text on filled buttons
 * @cssprop {<color>} --wo-danger - Buttons that delete
 * @cssprop {<color>} --wo-on-danger - Text on filled buttons that delete
 * @cssprop {<color>} --wo-background - Background of the panel, behind the cards
 * @cssprop {<color>} --wo-surface - Background of cards, dialogs, notices and inputs
 * @cssprop {<color>} --wo-border - Borders of the cards, and lines
 * @cssprop {<color>} --wo-text - Text
 * @cssprop {<color>} --wo-muted - Text of less weight: labels, the footer, explanations
 * @cssprop {<color>} --wo-spinner - The spinner of a session that waits, and of the list that loads
 * @cssprop {<length>} --wo-radius - How round corners are: those of cards, dialogs, notices, inputs and buttons
 * @cssprop {<length>} --wo-sticky-top - How much of the top of its scroll container the page keeps for itself, such as a header that sticks there
 * @cssprop {<length>} --wo-sticky-bottom - The same of the bottom, such as tabs on a phone
 *
 * @csspart button - A button with a text, in the bar or in a notice; `add-button` is not among them
 * @csspart start-button - The button that starts a session; a `button` too
 * @csspart delete-button - The button that deletes a session; a `button` too
 * @csspart send-button - The button that sends a test message; a `button` too
 * @csspart header - The bar at the top
 * @csspart title - The product's title, in the header
 * @csspart add-button - The round button that adds a session
 * @csspart main - What is between header and footer
 * @csspart bar - The bar above many sessions, which stays in sight
 * @csspart grid - The grid of cards, or the list of rows; there is none while the list is empty
 * @csspart card - One session, as a card or as a row
 * @csspart picture - Where a card shows its QR code, spinner or placeholder
 * @csspart state - The badge with the state text of a session
 * @csspart footer - The line with the company's name
 * @csspart dialog - The dialog that is open, a native one: `::part(dialog)::backdrop` is what it dims the page with
 * @csspart menu - The menu of a session that is open, where the server has extensions
 * @csspart notices - The layer that notices appear in
 *
 * @cssstate loading - The list is being fetched for the first time, or after a failure
 * @cssstate offline - There is no live connection to the server
 */
export class WhatsappOperadoresElement extends Base {
  static readonly version = version;
  static readonly observedAttributes = [...Object.keys(attributes).map(attributeName), 'aria-label'];

  readonly #states = this.attachInternals().states;
  readonly #keyStop = new KeyStop();
  /** Of the listener on its window. */
  #watch = new AbortController();
  readonly #settings = new Observable(readAttributes(this, viewAttributes));
  /** How often it has been put into a page, which empties the top layer each time. */
  readonly #placement = new Observable(0);
  /** Undefined while there is none in the page. */
  #panel: PanelProps | undefined;
  #token: Token | undefined;
  #labels: Labels | undefined;
  #names: Names | undefined;
  #texts: Texts | undefined;
  #t = createTranslate();
  /** A move in the page is a removal and an insertion in one task: it must not unmount the panel. */
  readonly #updates = batch(afterScripts, () => (this.isConnected ? this.#update() : this.#leave()));

  /**
   * Token of the page: a string, or a function that returns one or a promise of one and is called at each request and
   * each connection. Sent as `Authorization: Bearer` and as the socket's `auth.token`; stored nowhere else. None by default.
   * @type {string | (() => string | Promise<string>) | undefined}
   */
  get token(): Token | undefined {
    return this.#token;
  }
  set token(value: Token | null | undefined) {
    const had = this.#token !== undefined;
    this.#token = value ?? undefined;
    const store = this.#panel?.store;
    // It shares its server with those that have a token, or with those that have none, who get no answer to its token.
    const isMoved = had !== (this.#token !== undefined) && store?.numero !== undefined;
    if (isMoved) this.#updates.add();
    else if (store?.snapshot.get().list === 'failed') void store.fetch();
  }

  /**
   * What the page calls the sessions: an object that has `{ label, group }` by numero. These names win over the server's,
   * and are then not edited in the panel. What changes inside the object counts once the property is set again. None by default.
   * @type {Readonly<Record<string, { readonly label?: string; readonly group?: string }>> | undefined}
   */
  get labels(): Labels | undefined {
    return this.#labels;
  }
  set labels(value: Labels | null | undefined) {
    this.#read('labels', () => {
      this.#names = parseLabels(value ?? undefined);
      this.#labels = value ?? undefined;
      this.#panel?.store.setLabels(this.#names);
    });
  }

  /**
   * What the panel says instead of its own sentences: docs/texts.md. What changes inside the object counts once the property is
   * set again. None by default.
   * @type {{ readonly [sentence: string]: string } | undefined}
   */
  get texts(): Texts | undefined {
    return this.#texts;
  }
  set texts(value: Texts | null | undefined) {
    this.#read('texts', () => {
      this.#t = createTranslate(value ?? undefined);
      this.#texts = value ?? undefined;
    });
  }

  /**
   * Loads the list, and resolves when it has been answered. Never rejects: a failure is shown, and dispatched as
   * `wo-error`. Does nothing while the element is not in a page, or the page is still being parsed.
   */
  async refresh(): Promise<void> {
    // A panel that was connected in this task joins its server first.
    await undefined;
    await this.#panel?.store.refresh();
  }

  override connectedCallback(): void {
    this.#upgradeProperties();
    adoptStyles(this);
    this.#watch.abort();
    this.#watch = new AbortController();
    // The removal of an iframe does not call its elements, but its window fires `pagehide`.
    const hidden = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) this.#leave();
    };
    this.ownerDocument.defaultView?.addEventListener('pagehide', hidden, this.#watch);
    this.#placement.set(this.#placement.get() + 1);
    this.#updates.add();
  }

  override disconnectedCallback(): void {
    // Not now: React logs an error when a root is unmounted while the host's React commits.
    this.#updates.add();
  }

  #leave(): void {
    this.#watch.abort();
    if (!this.#panel) return;
    super.disconnectedCallback();
    this.#panel.store.close();
    this.#panel = undefined;
    this.#states.clear();
  }

  attributeChangedCallback(name: string): void {
    checkAttribute(this, name);
    this.#updates.add();
  }

  /** A property that was set before the element was defined is on the instance, and hides the accessor. */
  #upgradeProperties(): void {
    for (const property of ['token', 'labels', 'texts', ...Object.keys(attributes)]) {
      if (!Object.hasOwn(this, property)) continue;
      this.#read(property, () => {
        const value: unknown = Reflect.get(this, property);
        Reflect.deleteProperty(this, property);
        Reflect.set(this, property, value);
      });
    }
  }

  /** Takes what the page gives, whose code may throw when it is read. */
  #read(property: string, take: () => void): void {
    try {
      take();
      this.#updates.add();
    } catch (error) {
      log(`${property} cannot be read`, error);
    }
  }

  #update(): void {
    const before = this.#panel;
    const address = readAttributes(this, serverAttributes);
    const server = JSON.stringify([address, address.numero !== undefined && this.#token !== undefined]);
    // Another server needs another store.
    if (before?.server !== server) before?.store.close();
    const store = before?.server === server ? before.store : this.#join(address);
    this.#settings.set(keepIfEqual(this.#settings.get(), readAttributes(this, viewAttributes)));
    const { group } = this.#settings.get();
    const name = this.ariaLabel ?? address.numero ?? group;
    // The only session is that of its number, in whatever group it is.
    store.setGroup(address.numero === undefined ? group : '');
    this.#panel = keepIfEqual(before, {
      store,
      t: this.#t,
      server,
      placement: this.#placement,
      settings: this.#settings,
      label: this.#t(title) + (name && `: ${name}`),
    });
    // r2wc renders when this is set. It is not in the element's type, since it is not for pages.
    if (this.#panel !== before) Object.assign(this, { panel: this.#panel });
    if (before) return;
    // HTML ignores the slash of a tag that closes itself.
    if (this.firstElementChild) log('children are not shown: no </whatsapp-operadores>?');
    super.connectedCallback();
    this.shadowRoot?.addEventListener('keydown', this.#keyStop, true);
    // After React's listeners, which say what is used.
    for (const type of ['keydown', 'keypress', 'keyup'])
      this.shadowRoot?.addEventListener(type, this.#keyStop);
  }

  #join({ numero, ...address }: ServerSettings): Store {
    const t: Translate = (...all) => this.#t(...all);
    const token = () => this.#token;
    const create = (asked: typeof token) => createServer({ ...address, t, token: asked });
    const server =
      numero === undefined ? create(token) : joinServer(JSON.stringify(address), { numero, token }, create);
    const store = createStore(server, t);
    store.events.add(({ name, detail }) => {
      this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
    });
    const setStates = () => {
      const { list, connected } = store.snapshot.get();
      this.#states.clear();
      if (list === 'loading') this.#states.add('loading');
      if (connected === false) this.#states.add('offline');
    };
    store.snapshot.subscribe(setStates);
    setStates();
    store.setLabels(this.#names);
    return store;
  }
}

/**
 * Runs at the end of the task, but not before the page has been parsed, and its deferred scripts have run: they may set the token,
 * which the first call needs.
 */
function afterScripts(run: () => void): undefined {
  // The only type of its entries, which the compiler does not know.
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (navigation?.domContentLoadedEventStart || document.readyState === 'complete') queueMicrotask(run);
  else
    for (const event of ['DOMContentLoaded', 'readystatechange'])
      document.addEventListener(event, () => afterScripts(run), { once: true });
}
