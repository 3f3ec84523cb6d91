import type { WireHistoryEntry } from '../../../src/wire.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { StoreError } from '../ledger/store-error.ts';
import { BatchWriter } from './batch-writer.ts';

/** Whether a session is no longer this process's. */
export interface Life {
  readonly isOver: boolean;
}

/** An entry of a session's history that is to be written unless the session has ended. */
export interface PendingEntry {
  readonly numero: string;
  readonly entry: WireHistoryEntry;
  readonly life: Life;
}

const TIMES = { interval: 10, retry: 1_000, most: 5_000 };

/** Returns a writer for the histories of all sessions. */
export function historyWriter(ledger: () => Ledger): BatchWriter<PendingEntry> {
  return new BatchWriter(async (entries) => {
    const due = entries.filter(({ life }) => !life.isOver);
    try {
      await ledger().record(due.map(({ numero, entry }) => ({ numero, entry })));
      return [];
    } catch (error) {
      // The store logs the failure. Callers that wait for the history read the stored entries.
      if (!(error instanceof StoreError)) throw error;
      return due;
    }
  }, TIMES);
}
