import { NotPairable } from '../../sessions/errors.ts';
import type { Connection } from './connection.ts';
import { whileOpen } from './waits.ts';

/**
 * Returns a code that links the phone with this number. Rejects with a `NotPairable`.
 *
 * @param timeout in milliseconds
 */
export async function requestPairingCode(
  connection: Connection,
  digits: string,
  timeout: number,
): Promise<string> {
  const requested = connection.requestCode(digits);
  const code = await whileOpen(connection, AbortSignal.timeout(timeout), requested, {
    gone: () => Promise.reject(new NotPairable('not-waiting')),
    late: () => Promise.reject(new NotPairable('no-answer')),
  });
  if (code === undefined) throw new NotPairable('refused');
  return code;
}
