import { io } from 'socket.io-client';
import {
  LINK_NAMESPACE,
  LINK_OVER,
  LINK_SESSION,
  type WireLinkOver,
  type WireLinkRefusal,
  type WireLinkView,
} from './wire.ts';

/** Milliseconds until the next attempt where the client makes none by itself. */
const RETRY = 4_000;

export interface ConnectionListener {
  shown(view: WireLinkView): void;
  /** The connection, or an attempt, has failed; others follow. */
  lost(): void;
  /** The link is over, for this page at least: nothing follows. */
  over(reason: WireLinkOver['reason']): void;
  /** The gateway refuses this page; the sentence says why. No other call follows. */
  refused(sentence: string): void;
}

/**
 * Keeps a connection to the gateway whose page this is.
 *
 * @returns a function that ends it
 */
export function keepConnected(token: string, listener: ConnectionListener): () => void {
  // Relative to the page: a proxy may serve the gateway under a prefix.
  const path = new URL('../socket.io/', location.href).pathname;
  const socket = io(location.origin + LINK_NAMESPACE, {
    path,
    auth: { token },
    reconnectionDelayMax: RETRY,
    // One request where it works, and behind a balancer that forgets clients too; polling where something forbids it.
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
  });
  const end = () => {
    socket.off();
    socket.disconnect();
  };
  const retry = () => setTimeout(() => socket.connect(), RETRY);

  socket.on(LINK_SESSION, (view: WireLinkView) => listener.shown(view));
  socket.on(LINK_OVER, ({ reason }: WireLinkOver) => {
    end();
    listener.over(reason);
  });
  socket.on('disconnect', () => {
    listener.lost();
    // The client does not come back by itself to a server that has ended the connection, as one that is stopped may.
    if (!socket.active) retry();
  });
  socket.on('connect_error', (error: Error & { data?: WireLinkRefusal }) => {
    const refusal = error.data;
    if (socket.active || refusal?.passing !== false) {
      listener.lost();
      if (!socket.active) retry();
      return;
    }
    end();
    if (refusal.over === undefined) listener.refused(error.message);
    else listener.over(refusal.over);
  });
  return end;
}
