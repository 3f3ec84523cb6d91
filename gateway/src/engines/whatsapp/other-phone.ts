import { StoreError } from '../../ledger/store-error.ts';
import type { SessionContext } from './session-context.ts';

interface Expulsion {
  /** Resolves with whether WhatsApp could be told. Rejects with a `StoreError`. */
  readonly unlink: () => Promise<boolean>;
  /** Erases the credentials of the phone. */
  readonly erase: () => Promise<void>;
  /** Aborted once the session is another process's. */
  readonly signal: AbortSignal;
}

/**
 * Unlinks the phone of another number than the session's, and erases its credentials. The next start of the gateway or
 * the next owner of the session does what could not be done.
 *
 * @param phone the number of the phone
 */
export async function expel(
  numero: string,
  phone: string,
  { ledger, log }: Pick<SessionContext, 'ledger' | 'log'>,
  { unlink, erase, signal }: Expulsion,
): Promise<void> {
  const told = await unlink().catch((error: unknown) => {
    if (!(error instanceof StoreError)) throw error;
  });
  if (told === undefined || !ledger.isOpen || signal.aborted) return;
  await erase();
  if (told) return;
  log.warn(
    { numero },
    `WhatsApp could not be told to unlink ${phone}, which was scanned for ${numero}: remove the device on the phone.`,
  );
}
