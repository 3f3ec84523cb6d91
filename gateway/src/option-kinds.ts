import { type Static, type TSchema, type TString, Type } from 'typebox';
import { Value } from 'typebox/value';
import { isVersion } from './engines/whatsapp/version.ts';
import { hostUrls } from './ledger/database.ts';
import { PROXY_FORM, parseProxy } from './proxy/proxy.ts';
import { isTrustable, parseHost } from './security/addresses.ts';

/** A kind of value that options have. */
export interface Kind<T> {
  /** Placeholder of the value; a switch has none. */
  readonly value?: string;
  /** The valid values, as the end of a sentence. */
  readonly takes: string;
  /** JSON schema of the value in the configuration file. */
  readonly schema: TSchema;
  /** Returns the value of a text; undefined if it is invalid. */
  readonly parse: (text: string) => T | undefined;
}

/** Shortest token; a shorter one can be guessed. */
export const MIN_TOKEN = 16;

export const SWITCH: Kind<boolean> = {
  takes: 'true or false',
  schema: Type.Boolean(),
  parse: (text) => (/^(?:true|1|false|0)$/.test(text) ? /^(?:true|1)$/.test(text) : undefined),
};

export function wholeNumber(
  minimum: number,
  maximum: number,
  value = 'N',
  unit = 'a whole number',
): Kind<number> {
  const schema = Type.Integer({ minimum, maximum });
  const parse = (text: string) => (/^\d+$/.test(text) ? fitting(schema, Number(text)) : undefined);
  return { value, takes: `${unit} from ${minimum} to ${maximum}`, schema, parse };
}

export function factor(maximum: number): Kind<number> {
  const schema = Type.Number({ exclusiveMinimum: 0, maximum });
  const parse = (text: string) => fitting(schema, Number(text));
  return { value: 'X', takes: `a number above 0 and up to ${maximum}`, schema, parse };
}

export function oneOf<T extends string>(value: string, values: readonly T[]): Kind<T> {
  const takes = `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
  const parse = (text: string) => values.find((one) => one === text);
  return { value, takes, schema: Type.Enum([...values]), parse };
}

const SOME_TEXT = Type.String({ minLength: 1 });

/** @param parse checks more than the schema does */
function text(value: string, takes: string, parse: Kind<string>['parse']): Kind<string> {
  return { value, takes, schema: SOME_TEXT, parse };
}

function described(value: string, takes: string, schema: TString): Kind<string> {
  return { value, takes, schema, parse: (text) => fitting(schema, text) };
}

function fitting<T extends TSchema>(schema: T, value: unknown): Static<T> | undefined {
  return Value.Check(schema, value) ? value : undefined;
}

/** A URL in its place, which may have a password, would be shown by `--check` and in errors. */
const PATH = Type.String({ minLength: 1, pattern: '^(?!.*://)' });
export const FILE = described('FILE', 'a file', PATH);
export const FOLDER = described('DIR', 'a folder', PATH);
export const HOST = text('HOST', 'an address or a name', parseHost);

export const TOKEN = described(
  'TOKEN',
  `${MIN_TOKEN} or more characters, each an ASCII letter, a digit or one of -._~+/=`,
  Type.String({ minLength: MIN_TOKEN, pattern: '^[\\w.~+/=-]+$' }),
);
export const AUDIENCE = described('TEXT', 'a text', SOME_TEXT);
export const KEY = described('KEY', 'a key without spaces', Type.String({ pattern: '^[!-~]+$' }));

export const PROXY = text(
  'ADDRESS',
  'an address, a network such as 10.0.0.0/8, or loopback, linklocal or uniquelocal',
  (proxy) => (isTrustable(proxy) ? proxy : undefined),
);

export const ORIGIN = text('ORIGIN', 'an origin such as https://portal.example', parseOrigin);
export const PLACE = text('URL', 'an http(s) URL without query or fragment', parsePlace);
export const SOCKET = text(
  'URL',
  'a URL such as wss://whatsapp.example/',
  (url) => parseUrl(url, /^wss?:$/)?.href,
);
export const PROXY_SERVER = text('URL', `a URL such as ${PROXY_FORM}`, (url) =>
  parseProxy(url) ? url : undefined,
);
export const CHECK_PAGE = text(
  'URL',
  'an https URL, or an http URL on 127.0.0.1 or localhost',
  // Without a certificate, a proxy could answer in its place.
  (text) => {
    const url = parseUrl(text, /^https?:$/);
    return url?.protocol === 'https:' || /^(?:127\.0\.0\.1|localhost)$/.test(url?.hostname ?? '')
      ? url?.href
      : undefined;
  },
);
export const VERSION = text('VERSION', 'a version such as 2.3000.1043857760', (version) =>
  isVersion(version) ? version : undefined,
);
export const DATABASE = text(
  'URL',
  'a URL such as postgres://user:password@db.example/gateways',
  // Several hosts are separated by commas, as in PostgreSQL's own tools; the URL of each one alone must be valid.
  (url) => (hostUrls(url)?.every((one) => URL.canParse(one)) ? url : undefined),
);

export const WEBHOOK = text(
  'URL',
  'an http(s) URL without name and password',
  (url) => parseUrl(url, /^https?:$/)?.href,
);
export const WEBHOOK_SECRET = text('SECRET', 'whsec_ and 24 to 64 bytes in base64', (text) => {
  const [, encoded = ''] = /^whsec_([\w+/]+={0,2})$/.exec(text) ?? [];
  const { length } = Buffer.from(encoded, 'base64');
  return length >= 24 && length <= 64 ? text : undefined;
});
export const NUMERO = text('NUMERO', 'a number with its country code, such as 5215550001111', (text) => {
  const digits = text.replace(/[\s+().\p{Dash}\p{Format}]/gu, '');
  return /^\d{7,15}$/.test(digits) ? digits : undefined;
});

function parseOrigin(text: string): string | undefined {
  const url = parseUrl(text, /^https?:$/);
  return url?.href === `${url?.origin}/` ? url?.origin : undefined;
}

/** With a slash at the end, so that paths can be relative to it. */
function parsePlace(text: string): string | undefined {
  const url = parseUrl(text, /^https?:$/);
  return url?.href === `${url?.origin}${url?.pathname}` ? url?.href.replace(/\/?$/, '/') : undefined;
}

/** Returns undefined for a URL with a password too: `--check` shows values. */
function parseUrl(text: string, scheme: RegExp): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && scheme.test(url.protocol) && !url.username && !url.password ? url : undefined;
}
