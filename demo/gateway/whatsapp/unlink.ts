import { Connection, type Line } from './connection.ts';
import type { Credentials } from './credentials.ts';

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
  if (open?.isOpen) {
    const removal = await removeOn(open);
    if (removal !== 'cut') return removal === 'told';
  } else open?.end();
  return connectAndRemove(line, credentials);
}

/** WhatsApp has answered; or the line has ended before, as it also does once the device is gone; or neither in time. */
type Removal = 'told' | 'cut' | 'silent';

async function removeOn(connection: Connection): Promise<Removal> {
  const removal = await connection.removeDevice().then(
    (): Removal => 'told',
    (): Removal => (connection.isOpen ? 'silent' : 'cut'),
  );
  connection.end();
  return removal;
}

function connectAndRemove(line: Line, credentials: Credentials): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = new Connection(line, credentials, {
      open: async () => {
        const removal = await removeOn(connection);
        // How it was cut tells more.
        if (removal !== 'cut') finish(removal === 'told');
      },
      // 401: it was no device of the account any more.
      closed: ({ code, reached }) => finish(reached && code === 401),
    });
    const timer = setTimeout(() => finish(false), line.timings.unlink);

    function finish(told: boolean): void {
      clearTimeout(timer);
      resolve(told);
      connection.end();
    }
  });
}
