import { RequestError, toError } from '../server/http.ts';
import type { JournalEntry } from '../session/journal.ts';
import type { ListedSession } from '../session/session.ts';
import { ListPoll } from './list-poll.ts';
import type { Shared } from './shared.ts';
import { update } from './snapshot.ts';

export type List = ReturnType<typeof createList>;

/**
 * Loads the server's list: when somebody asks for it, and by itself where the list that is shown may be wrong.
 * @param show - takes a list, and what happened since it was requested
 */
export function createList(
  { server, calls, sessions, snapshot, reporter }: Shared,
  show: (list: readonly ListedSession[], events: readonly JournalEntry[]) => void,
) {
  const poll = new ListPoll(() => {
    // An older request may only be slow; two that hang are enough.
    calls.abort('list', 1);
    // Of failures in a row only the first is reported.
    void load(() => !hasFailed);
  });
  let lastRequest = 0;
  /** Which request the list that is shown answered. */
  let shown = 0;
  /** Whether the last request that was answered had failed. */
  let hasFailed = false;

  async function load(isFailureReported: () => boolean): Promise<void> {
    lastRequest += 1;
    const id = lastRequest;
    poll.requested();
    try {
      const [list, events] = await sessions.recorded(calls.send('list', (signal) => server.list(signal)));
      hasFailed = false;
      // A list that was asked for before the one that is shown is older.
      if (id > shown) {
        shown = id;
        show(list, events);
      }
    } catch (error) {
      // One that was given up is no failure: its successor is under way.
      if (id < lastRequest && error instanceof RequestError && error.kind === 'aborted') return;
      if (isFailureReported()) reporter.fail(error, 'fetch');
      hasFailed = true;
      // A list that is shown stays; a later request may still be under way.
      if (snapshot.get().list !== 'ready' && id === lastRequest)
        update(snapshot, { list: 'failed', listError: toError(error).message });
    }
    poll.answered();
    setPoll();
  }

  /** Without a live connection nothing is pushed, and a list that could not be had may never be requested again. */
  function setPoll(): void {
    const { connected, list } = snapshot.get();
    poll.set(!connected || list !== 'ready' || hasFailed);
  }

  /** Loads the list. Never rejects: a failure is reported. */
  const refresh = (): Promise<void> => load(() => true);

  snapshot.subscribe(setPoll);
  setPoll();

  return {
    /** The number of the list that is shown: each has its own. */
    version: () => shown,
    refresh,

    /** Loads the list behind the overlay, and no longer waits for an earlier one. */
    fetch(): Promise<void> {
      calls.abort('list');
      update(snapshot, { list: 'loading' });
      return refresh();
    },

    /** Loads the list once where the one that is shown may be wrong, however often this is called until then. */
    soon: poll.soon,

    /** Stops for good. */
    stop(): void {
      poll.stop();
      lastRequest += 1;
      calls.abort('list');
    },
  };
}
