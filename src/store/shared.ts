import { log } from '../log.ts';
import { keepIfEqual, Listeners, Observable } from '../observable.ts';
import { toError, whatFailed } from '../server/errors.ts';
import type { Server } from '../server/server.ts';
import { nameOf } from '../session/record.ts';
import { createSessionMap } from '../session/session-map.ts';
import type { Translate } from '../texts/translate.ts';
import type { Extension } from '../wire.ts';
import type { Action, PanelEvent } from './events.ts';

const NOTHING: ReadonlySet<string> = new Set();

/** What the panel as a whole shows. The sessions themselves are read one by one. */
export interface Snapshot {
  /** `loading` while the overlay is up; `failed` while there is no list to show. */
  readonly list: 'loading' | 'ready' | 'failed';
  /** Why the list could last not be loaded. */
  readonly listError?: string;
  /** Whether pushes arrive; undefined until the first attempt to connect has ended. */
  readonly connected: boolean | undefined;
  /** The extensions that the server has announced since the last connection, known or not. */
  readonly extensions: ReadonlySet<string>;
  /** What the server has said since then that the user may do; undefined where it has not, and everything is allowed. */
  readonly permissions?: ReadonlySet<string> | undefined;
  /** By what the server tells people who do not look at a panel, as it has announced since then. */
  readonly notifies?: string | undefined;
  /** Whether the host page keeps the names: then they are not edited here. */
  readonly namedByHost: boolean;
}

export interface Notice {
  readonly kind: 'positive' | 'negative';
  readonly text: string;
  /** A notice replaces the one before with the same key. */
  readonly replaceKey?: string | undefined;
  readonly numero?: string | undefined;
  readonly name?: string | undefined;
  /** What failed, where the text has only a term of HTTP. */
  readonly heading?: string | undefined;
}

export const MOST_NOTICES = 50;

export type Shared = ReturnType<typeof createShared>;

export function createShared(server: Server, t: Translate) {
  const sessions = createSessionMap();
  const snapshot = new Observable<Snapshot>({
    list: 'loading',
    connected: undefined,
    extensions: NOTHING,
    namedByHost: false,
  });
  /** The notices that are still to be shown, the oldest first. */
  const notices = new Observable<readonly Notice[]>([]);
  const events = new Listeners<[PanelEvent]>();

  function notify(notice: Notice): void {
    const { name = nameOf(sessions.all.get(notice.numero ?? '')) } = notice;
    notices.set([...notices.get(), { ...notice, name }].slice(-MOST_NOTICES));
  }

  /** Reports a failure to the log and the page. */
  function report(cause: unknown, action: Action): Error {
    const error = toError(cause);
    log(error);
    events.call({ name: 'wo-error', detail: { error, action } });
    return error;
  }

  function update(change: Partial<Snapshot>): void {
    const before = snapshot.get();
    snapshot.set(keepIfEqual(before, { ...before, ...change }));
  }

  return {
    server,
    t,
    sessions,
    extensions: createAnnounced((extensions = NOTHING, notifies) => {
      update({ extensions, notifies });
      sessions.configure({ areDetailsShown: extensions.has('details') });
    }),
    permissions: createAnnounced((permissions) => update({ permissions })),
    snapshot,
    update,
    notices,
    events,
    notify,
    report,

    /** Reports a failure to the log, the page and the operator. */
    fail(cause: unknown, action: Action, about: Pick<Notice, 'replaceKey' | 'numero'>): void {
      const error = report(cause, action);
      const failed = whatFailed(error);
      notify({ kind: 'negative', text: error.message, heading: failed && t(failed), ...about });
    },
  };
}

/** Milliseconds after a connection until what was announced on the one before is forgotten. */
const ANNOUNCED_WITHIN_MS = 2_000;

/** Milliseconds between two changes of what is shown: each may change every session. */
const ANNOUNCED_FOR_MS = 250;

/**
 * The words that the server has announced since the last connection, and by what it tells people.
 *
 * @param show - called when they change, four times a second at most
 */
function createAnnounced(show: (words?: ReadonlySet<string>, notifies?: string) => void) {
  let announced: Parameters<typeof show> = [];
  let shown: string | undefined;
  let following: ReturnType<typeof setTimeout> | undefined;
  let forgetting: ReturnType<typeof setTimeout> | undefined;

  function set(...now: typeof announced): void {
    clearTimeout(forgetting);
    announced = now;
    if (following === undefined) follow();
  }

  function follow(): void {
    const before = shown;
    const [words, notifies] = announced;
    shown = words && [...words, notifies].join();
    following = shown === before ? undefined : setTimeout(follow, ANNOUNCED_FOR_MS);
    if (following) show(words, notifies);
  }

  return {
    has: (word: Extension) => announced[0]?.has(word),
    set,
    /** An announcement follows each connection: until then, the words of the one before count. */
    connection(connected: boolean): void {
      clearTimeout(forgetting);
      if (connected) forgetting = setTimeout(set, ANNOUNCED_WITHIN_MS);
    },
    stop(): void {
      clearTimeout(forgetting);
      clearTimeout(following);
    },
  };
}
