/** The attributes of the element, and the properties that reflect them. */
import { log } from './log.ts';

const NOTICE_POSITIONS = [
  'top-left',
  'top-center',
  'top-right',
  'bottom-left',
  'bottom-center',
  'bottom-right',
] as const;

/** Where notices appear: the positions of react-toastify. */
export type NoticePosition = (typeof NOTICE_POSITIONS)[number];

const VIEWS = ['cards', 'list', 'auto'] as const;

/** How sessions are shown; `auto` is cards below nine sessions, and the list from there on. */
export type View = (typeof VIEWS)[number];

/** A view, once the number of sessions has decided what `auto` is. */
export type ShownView = Exclude<View, 'auto'>;

export const ORDERS = ['attention', 'server'] as const;

/** The sessions that need a person first, or all as the server lists them. */
export type Order = (typeof ORDERS)[number];

const CREDENTIALS = ['same-origin', 'include'] as const;

/** Whether cookies are sent only to the page's own origin, or to any, as in `fetch`. */
export type Credentials = (typeof CREDENTIALS)[number];

// A property takes null, but never returns it. TypeScript cannot derive that from a table, so each property is declared here,
// and the compiler compares the tables below with the declarations.

/** How to reach the server. When one of these changes, the panel leaves its server and joins another. */
export interface ServerSettings {
  /** Base path or URL of the server's HTTP calls, relative to the page. By default `/api`. */
  get apiBase(): string;
  set apiBase(value: string | null | undefined);

  /** Origin of the server's Socket.IO. By default the page's own. */
  get socketOrigin(): string;
  set socketOrigin(value: string | null | undefined);

  /** Path of the server's Socket.IO, under which several servers can share an origin. By default `/socket.io/`. */
  get socketPath(): string;
  set socketPath(value: string | null | undefined);

  /** `include` sends cookies to other origins too, by HTTP and socket; `same-origin`, the default, does not. */
  get credentials(): Credentials;
  set credentials(value: Credentials | null | undefined);

  /**
   * The one session that is shown, in place of the whole panel: its number in digits, with the country's code; other characters
   * do not count. By default all sessions. Panels of one session each share a connection where server and token are the same.
   */
  get numero(): string | undefined;
  set numero(value: string | null | undefined);
}

/** What the panel shows, and what can be done in it. */
export interface ViewSettings {
  /** The company named in the footer. By default `WhatsApp Operadores`. */
  get provider(): string;
  set provider(value: string | null | undefined);

  /**
   * How sessions are shown: as cards, the default, as a list with a row for each, or `auto`: as cards below nine, and as a list
   * from there on. The operator can change it from nine sessions on.
   */
  get view(): View;
  set view(value: View | null | undefined);

  /**
   * The order of the sessions: what requires attention first, or as the server lists them. By default cards are in the
   * server's order, and the list is in that of attention.
   */
  get order(): Order | undefined;
  set order(value: Order | null | undefined);

  /**
   * Shows, counts and announces only the sessions of these groups, separated by commas: `Ventas, Soporte`. An empty name,
   * as in `Ventas,`, stands for the sessions without a group. By default all.
   */
  get group(): string;
  set group(value: string | null | undefined);

  /** The panel only shows: nothing can be added, started, deleted, sent or changed, and codes are not shown. */
  get readOnly(): boolean;
  set readOnly(value: boolean | null | undefined);

  /** Whether a strip says that the live connection has been away for five seconds, and sessions are greyed. */
  get connectionNotice(): boolean;
  set connectionNotice(value: boolean | null | undefined);

  /** Milliseconds until a notice closes by itself, an integer of at most nine digits, by default 5000; with 0 it stays. */
  get notificationTimeout(): number;
  set notificationTimeout(value: number | null | undefined);

  /** Where on the screen notices appear, by default `top-right`; in a window below 480 pixels always at the bottom in the centre. */
  get notificationPosition(): NoticePosition;
  set notificationPosition(value: NoticePosition | null | undefined);
}

export type Settings = ServerSettings & ViewSettings;

/** The attribute behind a property. */
interface Attribute<Value> {
  /** The default: the value while the attribute is absent or invalid. */
  readonly fallback: () => Value;
  /** Returns the value of a text; undefined where the text is invalid. */
  readonly parse: (text: string) => Value | undefined;
  /** The only texts that are valid, where there are few: they are logged with an invalid one. */
  readonly values?: readonly string[];
  /** Returns what to do about a valid text of which only a part is used. */
  readonly hint?: (text: string) => string | undefined;
}

/** The attributes by property. */
type Table<Values> = { readonly [Property in keyof Values]: Attribute<Values[Property]> };

/** In characters: engine.io-client 6.6 throws at a longer one. */
const LONGEST_ORIGIN = 8000;

/** A boolean attribute: as in HTML, it is on when it is present, whatever its text. */
const flag: Attribute<boolean> = { fallback: () => false, parse: () => true };

export const serverAttributes: Table<ServerSettings> = {
  apiBase: {
    fallback: () => '/api',
    parse: (text) => {
      const protocol = text && URL.parse(text, document.baseURI)?.protocol;
      return /^https?:$/.test(protocol ?? '') ? text : undefined;
    },
  },
  socketOrigin: {
    fallback: () => location.origin,
    parse: (text) => {
      const origin = /^(http|ws)s?:/i.test(text) ? URL.parse(text)?.origin : undefined;
      return origin && origin.length <= LONGEST_ORIGIN ? origin : undefined;
    },
    // Socket.IO takes a path for a namespace.
    hint: (text) => (URL.parse(text)?.pathname === '/' ? undefined : 'socket-path is for its path'),
  },
  socketPath: {
    fallback: () => '/socket.io/',
    parse: (text) => (/^\/[^?#]*$/.test(text) && text.length <= LONGEST_ORIGIN ? text : undefined),
  },
  credentials: oneOf(CREDENTIALS, 'same-origin'),
  // Without a digit it is still no panel of all sessions.
  numero: { fallback: () => undefined, parse: (text) => text.replace(/\D/g, '') },
};

export const viewAttributes: Table<ViewSettings> = {
  provider: { fallback: () => 'WhatsApp Operadores', parse: (text) => text || undefined },
  view: oneOf(VIEWS, 'cards'),
  order: oneOf(ORDERS, undefined),
  group: { fallback: () => '', parse: (text) => text },
  readOnly: flag,
  connectionNotice: flag,
  notificationTimeout: {
    fallback: () => 5000,
    parse: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
  },
  notificationPosition: oneOf(NOTICE_POSITIONS, 'top-right'),
};

export const attributes: Table<Settings> = { ...serverAttributes, ...viewAttributes };

/** Returns the name of a property's attribute: that of `readOnly` is one word, as in HTML. */
export function attributeName(property: string): string {
  return property === 'readOnly'
    ? 'readonly'
    : property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** An attribute with one of a few words. */
function oneOf<Word extends string, Fallback extends Word | undefined>(
  values: readonly Word[],
  fallback: Fallback,
): Attribute<Word | Fallback> {
  const parse = (text: string) => values.find((value) => value === text);
  return { values, fallback: () => fallback, parse };
}

const all = Object.entries<Attribute<unknown>>(attributes);

/** Returns the properties of an element that a table has, whatever the page has put over them on the element itself. */
export function readAttributes<Values extends object>(element: Values, table: Table<Values>): Values {
  const read = (property: string) => Reflect.get(Object.getPrototypeOf(element), property, element);
  const values = Object.keys(table).map((property) => [property, read(property)]);
  // `Object.fromEntries` loses which property has which type.
  return Object.fromEntries(values) as Values;
}

/** Defines the properties that reflect the attributes on a prototype: null removes the attribute. */
export function reflectAttributes(prototype: object): void {
  for (const [property, attribute] of all) {
    const name = attributeName(property);
    Object.defineProperty(prototype, property, {
      configurable: true,
      get(this: Element) {
        const text = this.getAttribute(name);
        return (text === null ? undefined : attribute.parse(text.trim())) ?? attribute.fallback();
      },
      set(this: Element, value: unknown) {
        const text = attribute === flag ? (value ? '' : null) : value;
        if (text === null || text === undefined) this.removeAttribute(name);
        else this.setAttribute(name, String(text));
      },
    });
  }
}

/** Logs an attribute whose text is invalid, or of which only a part is used. */
export function checkAttribute(element: Element, name: string): void {
  const [, attribute] = all.find(([property]) => attributeName(property) === name) ?? [];
  const text = element.getAttribute(name);
  if (!attribute || text === null) return;
  const isValid = attribute.parse(text.trim()) !== undefined;
  const hint = isValid ? attribute.hint?.(text) : 'the default is used';
  if (hint) log(`${name}="${text}" is not ${attribute.values ?? 'valid'}; ${hint}`);
}
