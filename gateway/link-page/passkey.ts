import { readField } from '../../src/server/fields.ts';
import { CallFailed } from './calls.ts';
import { notSigned } from './texts.ts';

/*
 * The browser extension that signs with a passkey of web.whatsapp.com, as only a page of that origin may. It opens one
 * for a moment. Its words are those of https://waha.devlike.pro/blog/waha-passkey/.
 */

const ID = 'ghpdcgnjffaaekflfpcgkgpbafmjldcp';

const PAGE = 'waha-passkey-page';
const EXTENSION = 'waha-passkey-extension';

/** Milliseconds in which an installed extension answers. */
const PRESENT = 1_000;
/** Milliseconds that a person may take to confirm, as WhatsApp says. */
const CONFIRMED = 10 * 60_000;
/** Most characters that are shown of an error. */
const MOST = 200;

/** Where the extension is to be had. */
export interface Store {
  readonly name: string;
  readonly url: string;
}

const STORES = {
  firefox: {
    name: 'Firefox Add-ons',
    url: 'https://addons.mozilla.org/firefox/addon/whatsapp-browser-extension/',
  },
  chrome: { name: 'Chrome Web Store', url: `https://chromewebstore.google.com/detail/${ID}` },
} as const;

/** The messages to and from the extension in Chrome and its relatives, as far as this page uses them. */
interface Runtime {
  sendMessage(extension: string, message: object, answered: (answer: unknown) => void): void;
  lastError?: unknown;
}

declare global {
  interface Window {
    chrome?: { readonly runtime?: Runtime };
  }
}

/** Their browsers take no such extension. */
const isPhone = /android|iphone|ipad|mobile/i.test(navigator.userAgent);

const isFirefox = /firefox/i.test(navigator.userAgent);

/** Returns the store of this browser; undefined where the extension cannot be used. It talks to no page without TLS. */
export function storeHere(): Store | undefined {
  if (isPhone || !isSecureContext) return undefined;
  if (isFirefox) return STORES.firefox;
  return /chrom/i.test(navigator.userAgent) ? STORES.chrome : undefined;
}

/** Whether the extension is installed. */
export async function hasExtension(): Promise<boolean> {
  return readField(await ask({ type: 'waha-passkey-ping' }, PRESENT), 'ok') === true;
}

/** Returns the assertion of the passkey. Rejects with a {@link CallFailed} if the person has not confirmed. */
export async function sign(challenge: unknown): Promise<unknown> {
  const answer = await ask({ type: 'waha-passkey-sign', challenge }, CONFIRMED);
  const assertion = readField(answer, 'ok') === true ? readField(answer, 'assertion') : undefined;
  if (assertion !== undefined) return assertion;
  const error = readField(answer, 'error');
  throw new CallFailed(notSigned(typeof error === 'string' ? error.slice(0, MOST) : ''));
}

/** Resolves with the extension's answer; undefined if none comes within so many milliseconds, or asking it throws. */
function ask(message: object, patience: number): Promise<unknown> {
  return new Promise<unknown>((resolve) => {
    if (isFirefox) askByWindow(message, resolve);
    else askByRuntime(message, resolve);
    setTimeout(resolve, patience);
  }).catch(() => undefined);
}

function askByRuntime(message: object, answered: (answer: unknown) => void): void {
  const runtime = window.chrome?.runtime;
  runtime?.sendMessage?.(ID, message, (answer) => {
    // Chrome logs an error that nobody reads.
    answered(runtime.lastError === undefined ? answer : undefined);
  });
}

function askByWindow(message: object, answered: (answer: unknown) => void): void {
  const requestId = crypto.randomUUID();
  addEventListener('message', function hear({ source, data }: MessageEvent<unknown>) {
    const isAnswer = readField(data, 'source') === EXTENSION && readField(data, 'requestId') === requestId;
    if (source !== window || !isAnswer) return;
    removeEventListener('message', hear);
    answered(data);
  });
  window.postMessage({ source: PAGE, requestId, ...message }, location.origin);
}
