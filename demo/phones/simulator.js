import { authorization } from '../access/access.js';

/** The faults of a phone, in the order of the drawer. */
export const PHONE_FAULTS = /** @type {const} */ ([
  'stuck',
  'no-code',
  'refuses',
  'stale-code',
  'outdated',
  'dead-keys',
  'slow-delete',
  'failing-sends',
  'restricted',
  'zombie',
]);

/** The states that WhatsApp can be made to report. */
export const REPORTED_STATES = /** @type {const} */ ([
  'CONFLICT',
  'CONNECTED',
  'DEPRECATED_VERSION',
  'OPENING',
  'PAIRING',
  'PROXYBLOCK',
  'SMB_TOS_BLOCK',
  'TIMEOUT',
  'TOS_BLOCK',
  'UNLAUNCHED',
  'UNPAIRED',
  'UNPAIRED_IDLE',
  'HIBERNATING',
]);

/** Why a session can be made to end, or to wait. */
export const ENDINGS = /** @type {const} */ ([
  'device-removed',
  'logged-out',
  'replaced',
  'restricted',
  'banned',
  'passkey',
  'other-number',
]);

/**
 * @typedef {import('../../gateway/src/engines/simulated/simulated-phone.ts').PhoneRecord} PhoneRecord
 * @typedef {import('../../gateway/src/engines/simulated/simulated-phone.ts').PhoneMessage} PhoneMessage
 */

/** A phone refused an action; the message is a sentence for its screen. */
export class ActionRefused extends Error {}

/** @returns {Promise<PhoneRecord[]>} */
export async function listPhones() {
  const response = await fetch('/simulator/phones', { headers: await authorization() });
  if (!response.ok) throw new Error(`The simulator answered ${response.status}`);
  return response.json();
}

/**
 * @param {string} numero
 * @param {'scan' | 'pair' | 'passkey' | 'read' | 'unlink' | 'lose-line' | 'recover-line' | 'fault' | 'state'} action
 * @param {{code?: string, reason?: string, fault?: string | null, state?: string}} body
 */
export async function tell(numero, action, body = {}) {
  const response = await fetch(`/simulator/phones/${encodeURIComponent(numero)}/${action}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(await authorization()) },
    body: JSON.stringify(body),
  });
  if (response.ok) return;
  const { message } = await response.json();
  throw new ActionRefused(message);
}
