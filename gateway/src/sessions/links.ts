import { createHash, randomBytes } from 'node:crypto';
import type { WireLink } from '../../../src/wire.ts';
import type { ArchiveLedger, StoredLink } from '../ledger/archive.ts';
import { unlessStoreFails } from '../ledger/operations.ts';

/** How long a link is valid, in milliseconds. */
const LIFETIME = 10 * 60_000;
/** 128 bits. */
const TOKEN_BYTES = 16;

/** A link as it is sent to a person. */
export interface SentLink {
  readonly token: string;
  readonly expires: number;
}

/** Returns the stored form of a token. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The links for the people with the phones: one for each session. */
export class Links {
  readonly #archive: () => ArchiveLedger;
  readonly #changed: (numero: string) => void;
  /** The hashes of ended links that the store still has. */
  readonly #over = new Set<string>();
  /** Timers that end the links. */
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** @param changed called when a link expires */
  constructor(archive: () => ArchiveLedger, changed: (numero: string) => void) {
    this.#archive = archive;
    this.#changed = changed;
  }

  /** Returns the session's link as it is listed; undefined if none is valid. */
  get(numero: string): WireLink | undefined {
    const link = this.#valid(numero);
    if (!link) return undefined;
    this.#endAt(numero, link.expires);
    const { expires, opened } = link;
    return { expires, ...(opened !== undefined && { opened }) };
  }

  /** Whether the session's link has a token with this hash. */
  has(numero: string, hash: string): boolean {
    return this.#valid(numero)?.hash === hash;
  }

  /** Creates a link, which ends an earlier one. Rejects with a `StoreError`. */
  async create(numero: string): Promise<SentLink> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expires = Date.now() + LIFETIME;
    await this.#set(numero, { hash: tokenHash(token), expires });
    return { token, expires };
  }

  /** Records that a link was opened for the first time. Rejects with a `StoreError`. */
  async opened(numero: string, at: number): Promise<boolean> {
    const link = this.#valid(numero);
    if (!link || link.opened !== undefined) return false;
    await this.#set(numero, { ...link, opened: at });
    return true;
  }

  /** Ends the session's link. Rejects with a `StoreError`. */
  async end(numero: string): Promise<void> {
    this.forget(numero);
    if (this.#archive().link(numero)) await this.#archive().setLink(numero, undefined);
  }

  /** Ends the session's link for this process if the store fails. */
  disown(numero: string): void {
    const link = this.#valid(numero);
    if (link) this.#over.add(link.hash);
  }

  /** Forgets the link of a session that is removed, or no longer this process's. */
  forget(numero: string): void {
    clearTimeout(this.#timers.get(numero));
    this.#timers.delete(numero);
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #valid(numero: string): StoredLink | undefined {
    const link = unlessStoreFails(() => this.#archive().link(numero));
    return link && link.expires > Date.now() && !this.#over.has(link.hash) ? link : undefined;
  }

  async #set(numero: string, link: StoredLink): Promise<void> {
    await this.#archive().setLink(numero, link);
    this.#endAt(numero, link.expires);
  }

  #endAt(numero: string, expires: number): void {
    this.forget(numero);
    const timer = setTimeout(() => this.#changed(numero), Math.max(0, expires - Date.now()));
    this.#timers.set(numero, timer.unref());
  }
}
