import type { Logger } from 'pino';
import { readField } from '../../../../src/server/fields.ts';
import { settles } from '../../drain.ts';
import type { VersionStore } from '../../ledger/engine-ledger.ts';
import { reasonOf } from '../../ledger/operations.ts';
import type { ConfirmedVersion } from '../../ledger/row.ts';
import { ignoreStoreError } from '../../ledger/store-error.ts';
import type { ProxyServer } from '../../proxy/proxy.ts';
import { routeThrough } from '../../proxy/route.ts';
import { daysSince } from '../../terminal.ts';
import { isOlder } from '../../version.ts';
import { BackOff } from './reconnection.ts';

/** How long the start waits for the answer, and how long a request may take, in milliseconds. */
const PATIENCE = { start: 3_000, request: 20_000 };
/** How often the version is asked for, in milliseconds. */
const DAY = 24 * 60 * 60_000;
/** First and longest wait after a failed request, in milliseconds. */
const AGAIN = { first: 10 * 60_000, most: 6 * 60 * 60_000 };
/** Sessions that are refused at the same time ask once; in milliseconds. */
const MINUTE = 60_000;
/** How long after its confirmation WhatsApp surely takes a version for new links, in milliseconds. */
const TAKEN = 60 * DAY;

/** Where a version comes from: the operator, WhatsApp's answer, an answer before this start, or the client library. */
type VersionSource = 'option' | 'whatsapp' | 'store' | 'library';

/** What operators are told of the version. */
export interface VersionInUse {
  readonly version: string;
  readonly source: VersionSource;
  /** When WhatsApp said that it is the current one, in milliseconds since 1970; undefined if it never has. */
  readonly confirmed: number | undefined;
}

/** A version in the library's form. Its own type would be in the package's types, which have to do without the library. */
type Version = [primary: number, secondary: number, tertiary: number];

/** Asks WhatsApp for the current version, at https://web.whatsapp.com/sw.js; the library's own function. */
export type AskVersion = (
  options: RequestInit & { readonly signal: AbortSignal },
) => Promise<{ version: Version; isLatest: boolean; error?: unknown }>;

interface VersionParts {
  /** The version that the operator has chosen: WhatsApp is not asked. */
  readonly fixed: string | undefined;
  /** That of the library. */
  readonly bundled: Version;
  /** Undefined if WhatsApp must not be asked. */
  readonly ask: AskVersion | undefined;
  /** The proxy to ask through, unless a session asks through its own. */
  readonly proxy?: ProxyServer | undefined;
  readonly store: VersionStore;
  /** The operator log. */
  readonly log: Logger;
}

/**
 * The version of WhatsApp Web that the engine presents. WhatsApp takes a version for new links for about three months;
 * linked devices may go on with an older one.
 */
export class ClientVersion {
  readonly #ask: AskVersion | undefined;
  readonly #parts: VersionParts;
  readonly #backOff = new BackOff(AGAIN.first, AGAIN.most);
  readonly #closed = new AbortController();
  #inUse: VersionInUse;
  #timer: NodeJS.Timeout | undefined;
  /** The request under way. */
  #asking: Promise<void> | undefined;
  /** When WhatsApp last refused a version, by `performance.now()`. */
  #refusedAt = Number.NEGATIVE_INFINITY;
  #isFailing = false;

  constructor(parts: VersionParts) {
    const { fixed, ask } = parts;
    this.#parts = parts;
    this.#ask = fixed === undefined ? ask : undefined;
    this.#inUse = versionToUse(parts);
  }

  get inUse(): VersionInUse {
    return this.#inUse;
  }

  /** In the library's form. */
  get current(): Version {
    return partsOf(this.#inUse.version);
  }

  /** Whether WhatsApp may no longer link phones to this version. */
  get mayBeOutdated(): boolean {
    return this.#ask !== undefined && isOld(this.#inUse);
  }

  /**
   * Takes the version of the store, and asks WhatsApp, from now on once a day. Resolves with the answer, or after a few
   * seconds without one. Never rejects.
   */
  async start(): Promise<void> {
    if (!this.#ask) return;
    const { store, bundled } = this.#parts;
    const stored = await store.version().catch(ignoreStoreError);
    this.#inUse = versionToUse({ bundled, stored });
    await settles(this.#renew(), PATIENCE.start);
  }

  /**
   * Asks again after WhatsApp has refused a version, at most once a minute. Resolves with whether another one is in use
   * now. Never rejects.
   *
   * @param proxy that of the session for which WhatsApp has refused it
   */
  async replaces(refused: string, proxy?: ProxyServer): Promise<boolean> {
    if (this.#inUse.version === refused && performance.now() - this.#refusedAt >= MINUTE) {
      this.#refusedAt = performance.now();
      await this.#renew(proxy);
    } else await this.#asking;
    return this.#inUse.version !== refused;
  }

  /** Gives up asking, and leaves no timer behind. */
  close(): void {
    this.#closed.abort();
    clearTimeout(this.#timer);
  }

  #renew(proxy = this.#parts.proxy): Promise<void> {
    this.#asking ??= this.#request(proxy).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #request(proxy: ProxyServer | undefined): Promise<void> {
    if (!this.#ask || this.#closed.signal.aborted) return;
    clearTimeout(this.#timer);
    const signal = AbortSignal.any([this.#closed.signal, AbortSignal.timeout(PATIENCE.request)]);
    const route = proxy && routeThrough(proxy);
    const answer = await this.#ask({ ...route?.options, signal });
    route?.close();
    if (this.#closed.signal.aborted) return;
    const version = answer.version.join('.');
    const isAnswered = answer.isLatest && isVersion(version);
    this.#timer = setTimeout(() => void this.#renew(), isAnswered ? DAY : this.#backOff.next());
    if (isAnswered) await this.#confirmed({ version, confirmed: Date.now() });
    else this.#failed(answer.error);
  }

  async #confirmed(version: ConfirmedVersion): Promise<void> {
    this.#inUse = { ...version, source: 'whatsapp' };
    this.#backOff.reset();
    this.#isFailing = false;
    await this.#parts.store.keepVersion(version).catch(ignoreStoreError);
  }

  #failed(error: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    const { version, confirmed } = this.#inUse;
    const age = confirmed === undefined ? 'never confirmed' : `confirmed ${daysSince(confirmed)} ago`;
    this.#parts.log.warn(
      `WhatsApp did not say which version of WhatsApp Web is the current one (${causeOf(error)}). The gateway presents ` +
        `${version}, ${age}, and asks again later. WhatsApp links no new phones to a version of some three months.`,
    );
  }
}

/** Returns the version to present while WhatsApp has not answered. */
export function versionToUse({ fixed, bundled, stored }: Choice): VersionInUse {
  if (fixed !== undefined) return { version: fixed, source: 'option', confirmed: undefined };
  const version = bundled.join('.');
  // The library may have been updated since.
  if (stored && isOlder(version, stored.version)) return { ...stored, source: 'store' };
  return { version, source: 'library', confirmed: undefined };
}

interface Choice {
  readonly fixed?: string | undefined;
  readonly bundled: Version;
  readonly stored?: ConfirmedVersion | undefined;
}

/** Whether it is long since WhatsApp confirmed a version, or it never has. */
export function isOld({ confirmed = 0 }: VersionInUse): boolean {
  return Date.now() - confirmed > TAKEN;
}

/** WhatsApp Web's servers, which answer HTTPS there too. */
export const WHATSAPP = 'wss://web.whatsapp.com/';

/** Whether a text is a version such as `2.3000.1043857760`. */
export function isVersion(text: string): boolean {
  return /^\d{1,9}\.\d{1,9}\.\d{1,10}$/.test(text) && partsOf(text).every((part) => part < 2 ** 32);
}

/** Whether phones connect to WhatsApp itself, rather than to a server for tests. */
export function isWhatsapp(url: string | undefined): boolean {
  return url === undefined || new URL(url).hostname === new URL(WHATSAPP).hostname;
}

function partsOf(version: string): Version {
  const [primary = 0, secondary = 0, tertiary = 0] = version.split('.').map(Number);
  return [primary, secondary, tertiary];
}

function causeOf(error: unknown): string {
  const status = readField(readField(error, 'output'), 'statusCode');
  if (typeof status === 'number') return `HTTP ${status}`;
  if (!(error instanceof Error)) return 'an unexpected answer';
  return reasonOf(error.cause instanceof Error ? error.cause : error);
}
