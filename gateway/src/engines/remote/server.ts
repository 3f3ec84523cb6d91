/**
 * A server that somebody already runs, with sessions of its own, as an adapter shows it to the {@link RemoteEngine}. A
 * session there has a name of its own; the engine knows which numero it is.
 */
export interface RemoteServer {
  /** What operators call it, such as `WAHA`. */
  readonly title: string;
  /** The oldest version that is known to work; absent where no version is told. */
  readonly oldest?: string;
  /** Absent where the server has no feed of all its sessions: its list is then read every 3 s. */
  readonly events?: ServerEvents;
  /** Starts that it can bear at a time. */
  readonly startsAtOnce: number;

  /** Closes the feed, and ends what is under way. */
  close(): void;

  /** Returns its version; absent where none is told. Rejects with a `RemoteError`, like all that follow. */
  version?(): Promise<string>;

  /** Returns the sessions that it has now. */
  list(): Promise<ListedSession[]>;

  /** Creates a session and starts it. */
  create(name: string): Promise<void>;

  /** Starts a session, or restarts it. */
  start(name: string, status: Status): Promise<void>;

  /** Unlinks a session from its account; it stays. Resolves with false if it is not linked. */
  unlink(name: string): Promise<boolean>;

  /** Deletes a session; one that is not there any more counts as deleted. */
  remove(name: string): Promise<void>;

  /**
   * Returns the code to scan that is valid now, or undefined if there is none; absent where codes come with the feed
   * alone.
   */
  code?(name: string): Promise<string | undefined>;

  /** Returns a code to type on the phone of a number, in digits; undefined if it gives none. */
  pair?(name: string, digits: string): Promise<string | undefined>;

  /** Returns WhatsApp's address of a number, in digits; undefined if it does not use WhatsApp. */
  find(name: string, digits: string): Promise<string | undefined>;

  /** Sends a text to an address. */
  send(name: string, address: string, text: string): Promise<Sent>;
}

/** The feed of a server's events. */
export interface ServerEvents {
  /** What to do when they do not come. */
  readonly remedy: string;
  /** Whether a setting that the server does not tell may keep those of its sessions from us. */
  readonly mayHide: boolean;
  /**
   * Opens the feed, and opens it again whenever it breaks or stays silent, until the server is closed. Resolves when
   * it is open or the first attempt has failed.
   */
  open(feed: Feed): Promise<void>;
}

/** The outcome of a message: the id by which the feed speaks of it, where it does, or why it was not sent. */
export type Sent = { readonly id: string | undefined } | 'not-connected' | 'refused';

/** Whose phone is linked, as far as it is known. */
export interface Account {
  readonly digits?: string | undefined;
  /** The account's own name. */
  readonly name?: string | undefined;
}

/** A session as the server lists it. */
export interface ListedSession {
  readonly name: string;
  /** Undefined if it is not known now: the session is there, and stays as it was. */
  readonly status: Status | undefined;
  readonly account: Account;
  /** The digits that somebody noted with the session. */
  readonly noted?: string | undefined;
}

/** What the words of servers for a session's state mean here. */
export type Status =
  /** It does not run. */
  | 'stopped'
  | 'starting'
  /** It shows codes to scan. */
  | 'scanning'
  | 'connected'
  /** Nobody scanned any of its codes. */
  | 'expired'
  /** The phone's owner, or WhatsApp, removed the device. */
  | 'logged-out'
  /** The account requires a passkey to link a device. */
  | 'passkey'
  /** WhatsApp has restricted the account. */
  | 'restricted';

/** Takes the events of a server. */
export interface Feed {
  /** Events come from now on; those before are lost. */
  opened(): void;
  /** Events no longer come. @param isFlooded whether there were too many, or too long ones: they are not taken for a while */
  closed(isFlooded: boolean): void;
  /** @param account whose phone it is, where the event says so */
  status(name: string, status: Status, account?: Account): void;
  /**
   * A new code to scan; whoever tells this need not tell the status.
   *
   * @param expires until when it is valid, in milliseconds since 1970, where that is known
   */
  code(name: string, code: string, expires?: number): void;
  /** The code that was told may be over by now. */
  codeEnded(name: string): void;
  /** More is known of a message. */
  ack(name: string, id: string, ack: 'device' | 'read' | 'failed'): void;
  /** Something happened that the list shows: a session appeared or went. */
  changed(): void;
}
