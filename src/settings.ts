/** The attributes: how they are validated, and their defaults. */
import * as texts from './texts.ts';

/** The positions of react-toastify. */
export const NOTICE_POSITIONS = [
  'top-left',
  'top-center',
  'top-right',
  'bottom-left',
  'bottom-center',
  'bottom-right',
] as const;

export type NoticePosition = (typeof NOTICE_POSITIONS)[number];

/** How sessions are shown; `auto` is cards below nine sessions, and the list from there on. */
const VIEWS = ['cards', 'list', 'auto'] as const;

export type View = (typeof VIEWS)[number];

/** A view, once the number of sessions has decided what `auto` is. */
export type ShownView = Exclude<View, 'auto'>;

/** What needs a person first, or as the server lists them. */
const ORDERS = ['attention', 'server'] as const;

export type Order = (typeof ORDERS)[number];

/** How an operator who looks elsewhere learns that sessions fell. */
const ALERTS = ['title', 'sound', 'notification'] as const;

export type Alert = (typeof ALERTS)[number];

/** Whether cookies are sent only to the page's own origin, or to any, as in `fetch`. */
const CREDENTIALS = ['same-origin', 'include'] as const;

export type Credentials = (typeof CREDENTIALS)[number];

/** A setting with its attribute. */
export interface Setting<T> {
  readonly attribute: string;
  /** The default: used while the attribute is absent, empty or invalid. */
  readonly fallback: () => T;
  /** Returns the value of a text; undefined where it is invalid. */
  readonly parse: (text: string) => T | undefined;
  /** What the text should be, for the console. */
  readonly expected: string;
}

export const apiBase: Setting<string> = {
  attribute: 'api-base',
  fallback: () => '/api',
  parse: (text) => (/^https?:$/.test(URL.parse(text, document.baseURI)?.protocol ?? '') ? text : undefined),
  expected: 'a path or a URL, such as /api',
};

/** In characters: engine.io-client 6.6 throws at a longer one. */
const LONGEST_ORIGIN = 8000;

export const socketOrigin: Setting<string> = {
  attribute: 'socket-origin',
  fallback: () => location.origin,
  parse: (text) => {
    // Socket.IO takes a path for a namespace.
    const origin = /^(http|ws)s?:/i.test(text) ? URL.parse(text)?.origin : undefined;
    return origin && origin.length <= LONGEST_ORIGIN ? origin : undefined;
  },
  expected: 'an origin, such as https://gateway.example',
};

/** The path of the server's Socket.IO, under which several servers can share an origin. */
export const socketPath: Setting<string> = {
  attribute: 'socket-path',
  fallback: () => '/socket.io/',
  parse: (text) => (/^\/[^?#]*$/.test(text) && text.length <= LONGEST_ORIGIN ? text : undefined),
  expected: 'a path, such as /socket.io/',
};

export const credentials = oneOf('credentials', CREDENTIALS, () => 'same-origin');

export const provider: Setting<string> = {
  attribute: 'provider',
  fallback: () => texts.defaultProvider,
  parse: (text) => text,
  expected: 'a name',
};

export const notificationTimeout: Setting<number> = {
  attribute: 'notification-timeout',
  fallback: () => 5000,
  parse: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
  expected: 'milliseconds, such as 5000',
};

export const notificationPosition = oneOf('notification-position', NOTICE_POSITIONS, () => 'top-right');

export const view = oneOf('view', VIEWS, () => 'cards');

export const order = oneOf('order', ORDERS, () => undefined);

export const alerts: Setting<readonly Alert[]> = {
  attribute: 'alerts',
  fallback: () => [],
  parse: (text) => {
    const words = text.split(/\s+/);
    const known = ALERTS.filter((alert) => words.includes(alert));
    return known.length === new Set(words).size ? known : undefined;
  },
  expected: `any of ${ALERTS.join(', ')}`,
};

/** A setting whose value is one of a few words. */
function oneOf<Word extends string, Fallback extends Word | undefined>(
  attribute: string,
  words: readonly Word[],
  fallback: () => Fallback,
): Setting<Word | Fallback> {
  return {
    attribute,
    fallback,
    parse: (text) => words.find((word) => word === text),
    expected: `one of ${words.join(', ')}`,
  };
}

/** Returns the value of an element's attribute, or the default. */
export function readSetting<T>(element: Element, { attribute, fallback, parse }: Setting<T>): T {
  const text = element.getAttribute(attribute)?.trim();
  return (text ? parse(text) : undefined) ?? fallback();
}

/** Logs an invalid attribute. */
export function checkSetting(element: Element, setting: Setting<unknown>): void {
  const { attribute, parse, expected } = setting;
  const text = element.getAttribute(attribute);
  if (text === null) return;
  const isUsed = parse(text.trim()) !== undefined;
  if (isUsed && (setting !== socketOrigin || URL.parse(text)?.pathname === '/')) return;
  const remedy = isUsed ? `${socketPath.attribute} is for its path` : 'the default is used';
  console.error(`whatsapp-operadores: ${attribute}="${text}" is not ${expected}; ${remedy}`);
}

/** Sets the attribute of a property; null and undefined remove it. */
export function writeSetting(element: Element, { attribute }: Setting<unknown>, value: unknown): void {
  if (value === null || value === undefined) element.removeAttribute(attribute);
  else element.setAttribute(attribute, String(value));
}
