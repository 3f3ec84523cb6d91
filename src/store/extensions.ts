import type { Extension } from '../wire.ts';

/** Milliseconds after a connection until what was announced on the one before is forgotten. */
const ANNOUNCED_WITHIN_MS = 2_000;

/** Milliseconds between two changes of what the screen follows: each may change every session. */
const ANNOUNCED_FOR_MS = 250;

export type Announced = ReturnType<typeof createAnnounced>;

/**
 * What the server can do beside the contract, as it has announced since the last connection.
 *
 * @param show - takes what the screen is to follow, a few times a second at most, and only when it changes
 */
export function createAnnounced(show: (extensions: ReadonlySet<Extension>) => void) {
  let announced: ReadonlySet<Extension> = new Set();
  let shown = '';
  let following: ReturnType<typeof setTimeout> | undefined;
  let forgetting: ReturnType<typeof setTimeout> | undefined;

  function set(extensions: ReadonlySet<Extension>): void {
    clearTimeout(forgetting);
    announced = extensions;
    if (following === undefined) follow();
  }

  function follow(): void {
    const before = shown;
    shown = [...announced].join();
    following = shown === before ? undefined : setTimeout(follow, ANNOUNCED_FOR_MS);
    if (following) show(announced);
  }

  return {
    has: (extension: Extension) => announced.has(extension),
    set,
    /** The announcement follows the connection: what it says again must not leave the screen meanwhile. */
    connection(connected: boolean): void {
      clearTimeout(forgetting);
      if (connected) forgetting = setTimeout(set, ANNOUNCED_WITHIN_MS, new Set());
    },
    stop(): void {
      clearTimeout(forgetting);
      clearTimeout(following);
    },
  };
}
