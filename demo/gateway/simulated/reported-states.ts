/**
 * The states that WhatsApp can be made to report: those that servers of this kind pass on, and an unknown one, as a
 * future version of WhatsApp may bring.
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

/** Whether this state unlinks the phone: the next start then needs a code. */
export function endsLink(state: string): boolean {
  return state === 'UNPAIRED' || state === 'UNPAIRED_IDLE';
}
