import type { Status } from '../../src/engines/remote/server.ts';

/** whatsapp-web.js's words for a session's state (https://docs.wwebjs.dev). */
const STATUSES: Readonly<Record<string, Status>> = {
  CONNECTED: 'connected',
  OPENING: 'starting',
  PAIRING: 'starting',
  TIMEOUT: 'starting',
  UNLAUNCHED: 'starting',
  UNPAIRED: 'scanning',
  // The code is over; the library asks for another one by itself, so that codes never run out.
  UNPAIRED_IDLE: 'starting',
  TOS_BLOCK: 'restricted',
  SMB_TOS_BLOCK: 'restricted',
  CONFLICT: 'stopped',
  DEPRECATED_VERSION: 'stopped',
  PROXYBLOCK: 'stopped',
};

/**
 * Returns what a word of whatsapp-web.js means; undefined for one that is not known.
 *
 * @param message wwebjs-api's own, which tells more where there is no word
 */
export function statusOf(word: string | null, message: string): Status | undefined {
  if (word !== null) return Object.hasOwn(STATUSES, word) ? STATUSES[word] : undefined;
  // There is no word before a phone is linked. All other messages are of a browser that does not answer.
  return message === 'session_not_connected' ? 'scanning' : 'stopped';
}
