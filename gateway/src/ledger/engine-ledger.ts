import type { Ledger } from './ledger.ts';

/** What an engine of our own phones needs. */
export type EngineLedger = Pick<
  Ledger,
  | 'isOpen'
  | 'sessions'
  | 'has'
  | 'add'
  | 'keys'
  | 'leave'
  | 'erase'
  | 'remove'
  | 'confirm'
  | 'proxy'
  | 'close'
>;

/** What keeps the version of WhatsApp Web. */
export type VersionStore = Pick<Ledger, 'version' | 'keepVersion'>;
