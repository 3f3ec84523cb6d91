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
  const connection = open?.isOpen ? open : undefined;
  if (!connection) open?.end();
  return connection ? removeOn(connection) : connectAndRemove(line, credentials);
}

/** An answer, or the end of the line, which WhatsApp cuts for a device that is gone. */
async function removeOn(connection: Connection): Promise<boolean> {
  const told = await connection.removeDevice().then(
    () => true,
    () => !connection.isOpen,
  );
  connection.end();
  return told;
}

function connectAndRemove(line: Line, credentials: Credentials): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = new Connection(line, credentials, {
      open: () => finish(removeOn(connection)),
      // 401: it was no device of the account any more.
      closed: ({ code, reached }) => finish(reached && code === 401),
    });
    const timer = setTimeout(() => finish(false), line.timings.unlink);

    function finish(told: boolean | Promise<boolean>): void {
      clearTimeout(timer);
      resolve(told);
      if (told === false) connection.end();
    }
  });
}
