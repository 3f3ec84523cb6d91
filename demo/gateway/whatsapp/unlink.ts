import { Connection, type Line } from './connection.ts';
import type { Credentials } from './credentials.ts';
import { aborted, nextTurn } from './waits.ts';

/**
 * Tells WhatsApp that the session is no device of its account any more, on the line that is open or on one of
 * its own. False when WhatsApp could not be told in time: the account then drops the device by itself after
 * two weeks or so without a sign of life, or its owner does on the phone.
 */
export async function unlink(line: Line, credentials: Credentials, open?: Connection): Promise<boolean> {
  if (credentials.phone === undefined) {
    open?.end();
    return true;
  }
  const deadline = AbortSignal.timeout(line.timings.unlink);
  const removal = open?.isOpen ? await removeOn(open, deadline) : 'cut';
  open?.end();
  return removal === 'cut' ? connectAndRemove(line, credentials, deadline) : removal === 'told';
}

/** WhatsApp has answered; or the line has ended before, as it also does once the device is gone; or neither in time. */
type Removal = 'told' | 'cut' | 'silent';

function removeOn(connection: Connection, deadline: AbortSignal): Promise<Removal> {
  return Promise.race([
    connection.removeDevice().then(
      (): Removal => 'told',
      (): Removal => (connection.isOpen ? 'silent' : 'cut'),
    ),
    // An answer may have come in the same turn; the library lets a question without one wait for its time to be up.
    connection.gone.then(nextTurn).then((): Removal => 'cut'),
    aborted(deadline).then((): Removal => 'silent'),
  ]);
}

function connectAndRemove(line: Line, credentials: Credentials, deadline: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = new Connection(line, credentials, {
      open: async () => {
        const removal = await removeOn(connection, deadline);
        // How the line ended tells more.
        if (removal !== 'cut') finish(removal === 'told');
      },
      // 401: it was no device of the account any more.
      closed: ({ code, reached }) => finish(reached && code === 401),
    });
    void aborted(deadline).then(() => finish(false));

    function finish(told: boolean): void {
      resolve(told);
      connection.end();
    }
  });
}
