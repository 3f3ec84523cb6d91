import type { RemoteAck, Status } from '../remote/server.ts';

/** Evolution API's words for a connection. */
const STATUSES = new Map<string, Status>([
  ['open', 'connected'],
  ['connecting', 'starting'],
  ['close', 'stopped'],
  ['closed', 'stopped'],
  ['refused', 'expired'],
]);

/** WhatsApp's reasons for the end of a connection. */
const ENDS: Readonly<Record<number, Status>> = { 401: 'logged-out', 403: 'restricted' };

/**
 * Returns the meaning of a word of Evolution API; undefined for an unknown one.
 *
 * @param reason WhatsApp's, if it is known
 */
export function statusOf(word: string, reason?: number): Status | undefined {
  const status = STATUSES.get(word);
  return (status === 'stopped' && reason !== undefined && ENDS[reason]) || status;
}

/**
 * Returns the meaning of a listed instance; undefined for an unknown one. While WhatsApp cannot be reached, it is closed
 * between two attempts: one that has ended is stored as closed, too.
 */
export function listedStatusOf(word: string, stored: string): Status | undefined {
  const status = statusOf(word);
  if (status !== 'stopped' && status !== 'starting') return status;
  if (stored === 'open') return 'reconnecting';
  return stored === 'connecting' ? 'starting' : status;
}

/** The statuses of messages, by its words. The other words report nothing new, or are unknown. */
export const ACKS: ReadonlyMap<string, RemoteAck> = new Map([
  ['ERROR', 'failed'],
  ['SERVER_ACK', 'server'],
  ['DELIVERY_ACK', 'device'],
  ['READ', 'read'],
  ['PLAYED', 'read'],
]);
