import type { DeviceCredentials } from '../../store/credentials.ts';
import { Connection, type ConnectionSettings } from './connection.ts';
import { aborted, nextTurn } from './waits.ts';

/**
 * Removes the device from its account, on the open connection or on a new one. Returns false if WhatsApp could not be
 * told in time: the account then drops the device after about two weeks without a connection, or its owner removes it
 * on the phone.
 */
export async function unlink(
  settings: ConnectionSettings,
  credentials: DeviceCredentials,
  open?: Connection,
): Promise<boolean> {
  if (credentials.phone === undefined) {
    open?.end();
    return true;
  }
  const deadline = AbortSignal.timeout(settings.timings.unlink);
  const removal = open?.isOpen ? await removeOn(open, deadline) : 'cut';
  open?.end();
  return removal === 'cut' ? connectAndRemove(settings, credentials, deadline) : removal === 'told';
}

/** `told`: WhatsApp answered; `cut`: the connection ended first, as it also does after a removal; `silent`: neither. */
type Removal = 'told' | 'cut' | 'silent';

function removeOn(connection: Connection, deadline: AbortSignal): Promise<Removal> {
  return Promise.race([
    connection.removeDevice().then(
      (): Removal => 'told',
      (): Removal => (connection.isOpen ? 'silent' : 'cut'),
    ),
    // An answer may arrive in the same turn. Without one, the library's query only ends at its timeout.
    connection.gone.then(nextTurn).then((): Removal => 'cut'),
    aborted(deadline).then((): Removal => 'silent'),
  ]);
}

function connectAndRemove(
  settings: ConnectionSettings,
  credentials: DeviceCredentials,
  deadline: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = new Connection(settings, credentials, {
      open: async () => {
        const removal = await removeOn(connection, deadline);
        // How the connection ended tells more; see `closed`.
        if (removal !== 'cut') finish(removal === 'told');
      },
      // 401: the account had already dropped the device.
      closed: ({ code, reached }) => finish(reached && code === 401),
    });
    void aborted(deadline).then(() => finish(false));

    function finish(told: boolean): void {
      resolve(told);
      connection.end();
    }
  });
}
