import type { WireDetails, WireHistoryEntry, WireLink, WireListItem, WireNaming } from '../../../src/wire.ts';
import type { StoredLink } from '../ledger/archive.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { unlessStoreFails } from '../ledger/operations.ts';
import { ignoreStoreError } from '../ledger/store-error.ts';
import type { ProxyServer } from '../proxy/proxy.ts';
import type { BatchWriter } from './batch-writer.ts';
import { namesOf } from './details.ts';
import type { Life, PendingEntry } from './history-writer.ts';
import { createLink, linkId, type SentLink } from './links.ts';
import type { Listing } from './listing.ts';
import { Mailbox } from './mailbox.ts';
import { renamed } from './naming.ts';
import { lastChange } from './recall.ts';

/** How many entries of the history are looked through for the last change. */
const RECALLED = 20;

/** The parts of its session that a record needs. */
interface Parts {
  readonly ledger: () => Ledger;
  readonly history: BatchWriter<PendingEntry>;
  readonly name: string;
  readonly numero: string;
  readonly life: Life;
  readonly listing: Pick<Listing, 'shown' | 'tell'>;
  /** Returns the proxy of sessions without one of their own, as it is listed. */
  readonly proxy: () => string | undefined;
}

/** The stored data of one session besides its keys: names, proxy, history, and the link for the person with the phone. */
export class SessionRecord {
  readonly #parts: Parts;
  /** Names and links are read, changed and written as a whole. */
  readonly #writes = new Mailbox();
  /** The last entry of the history: a repetition is not recorded. */
  #last: WireHistoryEntry | undefined;
  /** Entries that wait, as those of a new session until the ledger has it. */
  #held: PendingEntry[] | undefined;
  /** The hash of a link that has ended, but that the store still has. */
  #ended: string | undefined;
  #expiry: NodeJS.Timeout | undefined;
  /** The end of the link for which that timer is. */
  #expires: number | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The stored details, as they are listed. */
  get details(): WireDetails {
    const { link } = this;
    const own = unlessStoreFails(() => this.#ledger.proxy(this.#parts.numero));
    const proxy = own?.name ?? this.#parts.proxy();
    return {
      ...namesOf(unlessStoreFails(() => this.#profile) ?? {}),
      ...(link && { link }),
      ...(proxy !== undefined && { proxy }),
    };
  }

  /** The link as it is listed; undefined if none is valid. */
  get link(): WireLink | undefined {
    const link = this.#valid;
    if (!link) return undefined;
    this.#endAt(link.expires);
    const { hash, expires, opened } = link;
    return { id: linkId(hash), expires, ...(opened !== undefined && { opened }) };
  }

  /** Runs a task, such as the start of a new session that the ledger does not have yet, and adds the events meanwhile after it. */
  async holding(task: () => Promise<void>): Promise<void> {
    const held: PendingEntry[] = [];
    this.#held = held;
    try {
      await task();
    } finally {
      this.#held = undefined;
      for (const entry of held) this.#parts.history.add(entry);
    }
  }

  /**
   * Adds an event to the history, with the reason if the session is not connected.
   *
   * @param by who did it; undefined for what WhatsApp or the phone did
   */
  note(event: string, by?: string): void {
    const session = this.#parts.listing.shown;
    if (!session) return;
    const { state, reason } = session;
    this.#add({ event, state, ...(reason && { detail: reason.text, code: reason.code }) }, by);
  }

  /** Restores since when and why the session has the state that it had before a restart. Rejects with a `StoreError`. */
  async recall(session: WireListItem): Promise<void> {
    const { state } = session;
    const last = lastChange(await this.history(RECALLED));
    if (!last || last.state !== state || session.state !== state || session.reason) return;
    session.since = last.at;
    const { code, detail: text, by } = last;
    if (code !== undefined && text !== undefined) session.reason = { code, text };
    if (by !== undefined && by !== this.#parts.name) session.by = by;
    this.#parts.listing.tell();
  }

  /** Returns entries of the history, the newest first. Rejects with a `StoreError`. */
  async history(limit: number, before?: number): Promise<WireHistoryEntry[]> {
    await this.#parts.history.flush();
    return this.#ledger.history(this.#parts.numero, limit, before);
  }

  /**
   * Changes the operators' names. Rejects with a `StoreError`.
   *
   * @param listed returns the session in every form in which it is or may be listed
   */
  async describe(naming: WireNaming, listed: () => readonly WireListItem[]): Promise<void> {
    await this.#writes.run(async () => {
      const profile = renamed(this.#profile, naming);
      await this.#ledger.describe(this.#parts.numero, profile);
      for (const session of listed()) {
        Object.assign(session, { label: undefined, group: undefined }, namesOf(profile));
      }
    });
    this.#parts.listing.tell();
  }

  /**
   * Replaces the session's own proxy; undefined removes it. Rejects with a `StoreError`.
   *
   * @param by the user who changes it
   */
  async setProxy(proxy: ProxyServer | undefined, by: string | undefined): Promise<void> {
    await this.#ledger.setProxy(this.#parts.numero, proxy);
    const session = this.#parts.listing.shown;
    if (!session) return;
    const detail = proxy?.name;
    this.#add(
      { event: 'proxy', state: session.state, ...(detail !== undefined && { detail }) },
      by ?? this.#parts.name,
    );
  }

  /** Stores the account's own name. */
  keepName(name: string): void {
    const kept = this.#writes.run(async () => {
      const profile = this.#profile;
      if (profile.name !== name) await this.#ledger.describe(this.#parts.numero, { ...profile, name });
    });
    // Each connection reports the name again.
    void kept.catch(ignoreStoreError);
  }

  /**
   * Creates a link, which ends an earlier one. Rejects with a `StoreError`.
   *
   * @param by the user who asks for it
   */
  async createLink(by: string | undefined): Promise<SentLink> {
    const { sent, stored } = createLink();
    await this.#writes.run(() => this.#setLink(stored));
    this.#noteLink('link_created', by ?? this.#parts.name);
    this.#parts.listing.tell();
    return sent;
  }

  /** Records that the link was opened for the first time. */
  async linkOpened(): Promise<void> {
    const opened = this.#writes.run(async () => {
      const link = this.#valid;
      if (!link || link.opened !== undefined) return false;
      await this.#setLink({ ...link, opened: Date.now() });
      return true;
    });
    if (!(await opened.catch(ignoreStoreError))) return;
    this.#noteLink('link_opened');
    this.#parts.listing.tell();
  }

  /** Ends the link for a user. Rejects with a `StoreError`. */
  revokeLink(by: string | undefined): Promise<void> {
    return this.#endLink('link_revoked', by ?? this.#parts.name);
  }

  /** Ends the link, if one is valid; if the write fails, for this process only. */
  endLinkLater(event: string): void {
    void this.#endLink(event).catch((error: unknown) => {
      ignoreStoreError(error);
      this.#ended = this.#valid?.hash ?? this.#ended;
      this.#parts.listing.tell();
    });
  }

  /** @param event why, for the history */
  async #endLink(event: string, by?: string): Promise<void> {
    const hadLink = this.#parts.listing.shown?.link !== undefined;
    try {
      await this.#writes.run(async () => {
        clearTimeout(this.#expiry);
        this.#expires = undefined;
        if (this.#ledger.link(this.#parts.numero)) await this.#setLink(undefined);
      });
      if (hadLink) this.#noteLink(event, by);
    } finally {
      this.#parts.listing.tell();
    }
  }

  /** Whether the link has a token with this hash. */
  hasLink(hash: string): boolean {
    return this.#valid?.hash === hash;
  }

  /** Ends its timer. */
  close(): void {
    clearTimeout(this.#expiry);
  }

  get #ledger(): Ledger {
    return this.#parts.ledger();
  }

  get #profile() {
    return this.#ledger.profile(this.#parts.numero);
  }

  get #valid(): StoredLink | undefined {
    const link = unlessStoreFails(() => this.#ledger.link(this.#parts.numero));
    return link && link.expires > Date.now() && link.hash !== this.#ended ? link : undefined;
  }

  async #setLink(link: StoredLink | undefined): Promise<void> {
    await this.#ledger.setLink(this.#parts.numero, link);
    if (link) this.#endAt(link.expires);
  }

  #endAt(expires: number): void {
    // A clock that is set back does not lengthen a link's life.
    if (this.#parts.life.isOver || expires === this.#expires) return;
    clearTimeout(this.#expiry);
    this.#expires = expires;
    const end = () => this.endLinkLater('link_expired');
    this.#expiry = setTimeout(end, Math.max(0, expires - Date.now())).unref();
  }

  #noteLink(event: string, by?: string): void {
    const session = this.#parts.listing.shown;
    if (session) this.#add({ event, state: session.state }, by);
  }

  #add(fields: Omit<WireHistoryEntry, 'at' | 'by'>, by: string | undefined): void {
    const { numero, life, history } = this.#parts;
    const last = this.#last;
    // One proxy may follow the other.
    const isRepeated =
      last?.event === fields.event &&
      last.state === fields.state &&
      last.code === fields.code &&
      last.by === by &&
      fields.event !== 'proxy';
    if (isRepeated) return;
    // Pages of the history are split by time, so no two entries may have the same.
    const at = Math.max(Date.now(), (last?.at ?? 0) + 1);
    const entry = { at, ...fields, ...(by !== undefined && { by }) };
    this.#last = entry;
    const pending = { numero, entry, life };
    if (this.#held) this.#held.push(pending);
    else history.add(pending);
  }
}
