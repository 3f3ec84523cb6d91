import { Connection } from './connection.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import type { DeviceCredentials } from './credentials.ts';
import { type SessionContext, settingsOf } from './session-context.ts';
import { aborted, whileOpen } from './waits.ts';

interface Unlinking {
  /** Gives the attempt up. */
  readonly signal: AbortSignal;
  /** The open connection of the device, if there is one. */
  readonly open?: Connection | undefined;
}

/**
 * Removes the device from its account, on the open connection or on a new one. Returns false if WhatsApp was not
 * reached in time: the account then drops the device after about two weeks without a connection, or its owner removes
 * it on the phone. Rejects with a `StoreError` if it is not certain that this process may log in, or if a proxy that it
 * needs cannot be read.
 */
export async function unlink(
  numero: string,
  context: SessionContext,
  credentials: DeviceCredentials,
  { signal, open }: Unlinking,
): Promise<boolean> {
  if (credentials.phone === undefined) {
    void open?.end();
    return true;
  }
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(context.timings.unlink)]);
  const end = () => void open?.end();
  deadline.addEventListener('abort', end, { once: true });
  const removal = open?.isOpen ? await removeOn(open, deadline) : 'cut';
  deadline.removeEventListener('abort', end);
  end();
  if (signal.aborted) await open?.end();
  if (removal !== 'cut') return removal === 'told';
  const mayLogIn = await Promise.race([context.ledger.confirm(numero), aborted(deadline).then(() => false)]);
  if (!mayLogIn || deadline.aborted) return false;
  // Not before: the open connection needs none, and the proxy may have been replaced meanwhile.
  return connectAndRemove(settingsOf(numero, context), credentials, deadline);
}

/** `told`: WhatsApp answered; `cut`: the connection ended first, as it also does after a removal; `silent`: neither. */
type Removal = 'told' | 'cut' | 'silent';

function removeOn(connection: Connection, deadline: AbortSignal): Promise<Removal> {
  const removal = connection.removeDevice().then(
    (): Removal => 'told',
    (): Removal => (connection.isOpen ? 'silent' : 'cut'),
  );
  return whileOpen(connection, deadline, removal, { gone: () => 'cut', late: () => 'silent' });
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
        // The end of the connection is more precise; see `closed`.
        if (removal !== 'cut') finish(removal === 'told');
      },
      // 401: the account had already dropped the device.
      closed: ({ code, reached }) => finish(reached && code === 401),
    });
    // Another process may log in then.
    deadline.addEventListener('abort', () => void connection.end().then(() => resolve(false)), {
      once: true,
    });

    function finish(told: boolean): void {
      resolve(told);
      void connection.end();
    }
  });
}
