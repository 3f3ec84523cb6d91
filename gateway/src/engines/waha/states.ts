import type { RemoteAck, Status } from '../remote/server.ts';

/** WAHA's words for a session's state (https://waha.devlike.pro/docs/how-to/sessions/). */
const STATUSES: Readonly<Record<string, Status>> = {
  STOPPED: 'stopped',
  STARTING: 'starting',
  SCAN_QR_CODE: 'scanning',
  PASSKEY_REQUIRED: 'passkey',
  PASSKEY_CONFIRMATION_REQUIRED: 'passkey',
  WORKING: 'connected',
  FAILED: 'failed',
};

/**
 * Returns the meaning of a word of WAHA; undefined for an unknown one.
 *
 * @param before the session's word before, if it is known
 */
export function statusOf(word: string, before?: string): Status | undefined {
  // It also follows the last code.
  if (word === 'FAILED' && before === 'SCAN_QR_CODE') return 'expired';
  return Object.hasOwn(STATUSES, word) ? STATUSES[word] : undefined;
}

/** Returns the step of the passkey that a word stands for, where the server can go on with it. */
export function stepOf(word: string): Status | undefined {
  if (word === 'PASSKEY_REQUIRED') return 'sign';
  return word === 'PASSKEY_CONFIRMATION_REQUIRED' ? 'confirm' : undefined;
}

/** The statuses of messages, by WAHA's numbers; the other numbers report nothing new, or are unknown. */
const ACKS: Readonly<Record<number, RemoteAck>> = {
  [-1]: 'failed',
  1: 'server',
  2: 'device',
  3: 'read',
  4: 'read',
};

export function ackOf(ack: number): RemoteAck | undefined {
  return ACKS[ack];
}
