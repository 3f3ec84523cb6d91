import type {
  WireDetails,
  WireHistoryEntry,
  WireListItem,
  WireNaming,
  WirePairing,
} from '../../../src/wire.ts';
import type { ArchiveLedger, Profile } from '../ledger/archive.ts';
import { unlessStoreFails } from '../ledger/operations.ts';
import { changeBetween, detailsOf } from './details.ts';
import { StoreError } from './errors.ts';
import { HistoryWriter } from './history-writer.ts';
import { Links, type SentLink } from './links.ts';
import { renamed } from './naming.ts';
import { lastChange } from './recall.ts';
import type { Push } from './transitions.ts';
import { WorkQueue } from './work-queue.ts';

/** How many entries of the history are looked through for the last change. */
const RECALLED = 20;

/**
 * The data of sessions besides their states, mostly stored: names, history, links, codes to type. Sessions are
 * identified by their listed numeros.
 */
export class SessionDetails {
  readonly #archive: () => ArchiveLedger;
  readonly #shown: (numero: string) => WireListItem | undefined;
  readonly #push: (push: Push) => void;
  readonly #history: HistoryWriter;
  readonly #links: Links;
  /** The details that were last pushed. */
  readonly #pushed = new Map<string, WireDetails>();
  readonly #pairings = new Map<string, WirePairing>();
  /** Names and links are read, changed and written as a whole. */
  readonly #writes = new WorkQueue();

  /**
   * @param archive returns the archive of the sessions; called once they are restored
   * @param shown returns a session as it is listed
   */
  constructor(
    archive: () => ArchiveLedger,
    shown: (numero: string) => WireListItem | undefined,
    push: (push: Push) => void,
  ) {
    this.#archive = archive;
    this.#shown = shown;
    this.#push = push;
    this.#history = new HistoryWriter(archive);
    this.#links = new Links(archive, (numero) => this.endLinkLater(numero, 'link_expired'));
  }

  /** Returns the stored details of a session, as they are listed. */
  kept(numero: string): WireDetails {
    const profile = unlessStoreFails(() => this.#archive().profile(numero)) ?? {};
    const link = this.#links.get(numero);
    return { ...namesOf(profile), ...(link && { link }) };
  }

  /** Pushes a session that is new, with its details. */
  tellCreated(session: WireListItem): void {
    this.#pushed.set(session.numero, detailsOf(session));
    this.#push({ event: 'created', numero: session.numero, session });
  }

  /** Pushes the changed details of a session. */
  tell(numero: string): void {
    const session = this.#shown(numero);
    if (!session) return;
    const link = this.#links.get(numero);
    if (link) session.link = link;
    else delete session.link;
    const change = changeBetween(this.#pushed.get(numero) ?? {}, session);
    if (!change) return;
    this.#pushed.set(numero, detailsOf(session));
    this.#push({ event: 'details', numero, change });
  }

  /** Adds an event to a session's history, with the reason if it is not connected. */
  note(numero: string, event: string): void {
    const session = this.#shown(numero);
    if (!session) return;
    const { state, reason } = session;
    this.#history.add(numero, { event, state, ...(reason && { detail: reason.text, code: reason.code }) });
  }

  /** Restores since when and why a session has the state that it had before a restart. Rejects with a `StoreError`. */
  async recall(session: WireListItem): Promise<void> {
    const { numero, state } = session;
    const last = lastChange(await this.history(numero, RECALLED));
    if (!last || last.state !== state || session.state !== state || session.reason) return;
    session.since = last.at;
    const { code, detail: text } = last;
    if (code !== undefined && text !== undefined) session.reason = { code, text };
    this.tell(numero);
  }

  /** Returns entries of a session's history, the newest first. Rejects with a `StoreError`. */
  async history(numero: string, limit: number, before?: number): Promise<WireHistoryEntry[]> {
    await this.#history.written();
    return this.#archive().history(numero, limit, before);
  }

  /** Resolves once all events are written, or have failed to be. */
  written(): Promise<void> {
    return this.#history.written();
  }

  /**
   * Changes the operators' names of a session. Rejects with a `StoreError`.
   *
   * @param listed returns the session in every form in which it is or may be listed
   */
  async describe(numero: string, naming: WireNaming, listed: () => readonly WireListItem[]): Promise<void> {
    await this.#writes.run(numero, async () => {
      const profile = renamed(this.#archive().profile(numero), naming);
      await this.#archive().describe(numero, profile);
      for (const session of listed()) {
        Object.assign(session, { label: undefined, group: undefined }, namesOf(profile));
      }
    });
    this.tell(numero);
  }

  /** Stores the account's own name. */
  keepName(numero: string, name: string): void {
    const kept = this.#writes.run(numero, async () => {
      const profile = this.#archive().profile(numero);
      if (profile.name !== name) await this.#archive().describe(numero, { ...profile, name });
    });
    // Each connection reports the name again.
    void kept.catch(logged);
  }

  /** The code to type on the session's phone, while there is one. */
  pairing(numero: string): WirePairing | undefined {
    return this.#pairings.get(numero);
  }

  setPairing(numero: string, pairing: WirePairing | undefined): void {
    if (!pairing && !this.#pairings.has(numero)) return;
    if (pairing) this.#pairings.set(numero, pairing);
    else this.#pairings.delete(numero);
    this.#push({ event: 'code', numero, pairing: pairing ?? null });
  }

  /** Creates a link, which ends an earlier one. Rejects with a `StoreError`. */
  async createLink(numero: string): Promise<SentLink> {
    const link = await this.#writes.run(numero, () => this.#links.create(numero));
    this.#noteLink(numero, 'link_created');
    this.tell(numero);
    return link;
  }

  /** Records that the session's link was opened for the first time. */
  async linkOpened(numero: string): Promise<void> {
    const isFirst = await this.#writes
      .run(numero, () => this.#links.opened(numero, Date.now()))
      .catch(logged);
    if (!isFirst) return;
    this.#noteLink(numero, 'link_opened');
    this.tell(numero);
  }

  /** Ends the session's link, if one is valid. Rejects with a `StoreError`. @param event why, for the history */
  async endLink(numero: string, event: string): Promise<void> {
    const hadLink = this.#shown(numero)?.link !== undefined;
    try {
      await this.#writes.run(numero, () => this.#links.end(numero));
      if (hadLink) this.#noteLink(numero, event);
    } finally {
      this.tell(numero);
    }
  }

  #noteLink(numero: string, event: string): void {
    const session = this.#shown(numero);
    if (session) this.#history.add(numero, { event, state: session.state });
  }

  /** Ends the session's link, if one is valid; if the write fails, for this process only. */
  endLinkLater(numero: string, event: string): void {
    void this.endLink(numero, event).catch((error: unknown) => {
      logged(error);
      this.#links.disown(numero);
      this.tell(numero);
    });
  }

  /** Whether the session's link has a token with this hash. */
  hasLink(numero: string, hash: string): boolean {
    return this.#links.has(numero, hash);
  }

  /** Forgets a session that is removed, or no longer this process's. */
  leave(numero: string): void {
    this.#pushed.delete(numero);
    this.#pairings.delete(numero);
    this.#links.forget(numero);
    this.#history.forget(numero);
  }

  /** Erases the stored data of a removed session. */
  erase(numero: string): void {
    this.leave(numero);
    this.#archive().forget(numero);
  }

  /** Writes the events. */
  async close(): Promise<void> {
    this.#links.close();
    await this.#history.close();
  }
}

/** Ignores failures that the store has logged, and that nobody waits for. */
function logged(error: unknown): undefined {
  if (!(error instanceof StoreError)) throw error;
}

function namesOf({ name, label, group }: Profile): Pick<WireDetails, 'name' | 'label' | 'group'> {
  return {
    ...(name !== undefined && { name }),
    ...(label !== undefined && { label }),
    ...(group !== undefined && { group }),
  };
}
