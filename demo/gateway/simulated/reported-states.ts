/**
 * What WhatsApp can be made to report of a session: the states that servers of this family pass on, and last one
 * that nobody knows, as the next version of WhatsApp may bring.
 */
export const REPORTED_STATES = [
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
] as const;

export type ReportedState = (typeof REPORTED_STATES)[number];

/** Whether the phone is not linked any more once this was reported: the next start needs a code. */
export function endsLink(state: string): boolean {
  return state === 'UNPAIRED' || state === 'UNPAIRED_IDLE';
}
