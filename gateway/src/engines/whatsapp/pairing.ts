import { NotPairable } from '../../sessions/errors.ts';
import type { Connection } from './connection.ts';
import { aborted, nextTurn } from './waits.ts';

/**
 * Requests a code that links the phone with this number, as soon as the connection has shown a code to scan: earlier
 * WhatsApp takes no request. Rejects with `NotPairable`, at the latest when `deadline` aborts.
 */
export function requestPairing(
  connection: Connection,
  digits: string,
  deadline: AbortSignal,
): Promise<string> {
  async function request(): Promise<string> {
    await connection.offered;
    const code = await connection.requestCode(digits);
    if (code === undefined) throw new NotPairable('refused');
    return code;
  }

  return Promise.race([
    request(),
    connection.gone.then(nextTurn).then(() => Promise.reject(new NotPairable('not-waiting'))),
    aborted(deadline).then(() => Promise.reject(new NotPairable('no-answer'))),
  ]);
}
