/** A proxy through which sessions reach WhatsApp. */
export interface ProxyServer {
  /** With the name and the password that it asks for, if any: never to be shown or logged. */
  readonly url: URL;
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
  /** How it is shown: `host:port`. */
  readonly name: string;
}

/** What proxies are written as, for sentences. */
export const PROXY_FORM = 'http://user:password@proxy.example:8080, https://… or socks5://…';

/** A proxy that the operator has set is none; the message is a sentence for the operator, without the value, which may hold a password. */
export class InvalidProxy extends Error {
  override readonly name = 'InvalidProxy';

  /** @param setting where it was set */
  constructor(setting: string) {
    super(`${setting} takes a URL such as ${PROXY_FORM}.`);
  }
}

/** The ports without which a URL may be, by its scheme. */
const PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  // The port of RFC 1928. Host names are resolved by the proxy in both forms: a lookup here would pass it by.
  'socks5:': 1080,
  'socks5h:': 1080,
};

/** By RFC 1929, in bytes. The package socks throws where nobody can catch it if a name or a password is longer. */
const LONGEST_SOCKS_LOGIN = 255;

/** Returns the proxy that a URL names; undefined if it names none that the gateway can use. */
export function parseProxy(text: string): ProxyServer | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const usual = url && PORTS[url.protocol];
  if (!url?.hostname || usual === undefined || !/^\/?$/.test(url.pathname) || url.search || url.hash)
    return undefined;
  const { hostname, username, password } = url;
  const longest = url.protocol.startsWith('socks') ? LONGEST_SOCKS_LOGIN : Number.POSITIVE_INFINITY;
  const isUsable = sizeOf(username) <= longest && sizeOf(password) <= longest;
  if (!isUsable) return undefined;
  const port = url.port === '' ? usual : Number(url.port);
  return { url, host: hostname.replace(/^\[|\]$/g, ''), port, name: `${hostname}:${port}` };
}

/** Returns the bytes of a part of a URL without its escapes; `NaN` if they are not UTF-8. */
function sizeOf(part: string): number {
  try {
    return Buffer.byteLength(decodeURIComponent(part));
  } catch {
    return Number.NaN;
  }
}
