import { ignoreStoreError } from '../../ledger/store-error.ts';
import { Connection } from './connection.ts';
import type { DeviceCredentials } from './credentials.ts';
import { type ConnectionSettings, type SessionContext, settingsOf } from './session-context.ts';
import { aborted, whileOpen } from './waits.ts';

/**
 * Removes the device from its account, on the open connection or on a new one. Returns false if WhatsApp was not
 * reached in time: the account then drops the device after about two weeks without a connection, or its owner removes
 * it on the phone. Rejects with a `StoreError` if it is not certain that this process may log in, or if a proxy that it
 * needs cannot be read.
 *
 * @param options `signal` gives the attempt up; `open` is the open connection of the device, if there is one
 */
export async function unlink(
  numero: string,
  context: SessionContext,
  credentials: DeviceCredentials,
  { signal, open }: { readonly signal: AbortSignal; readonly open?: Connection | undefined },
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
  const told = await unlink().catch(ignoreStoreError);
  if (told === undefined || !ledger.isOpen || signal.aborted) return;
  await erase();
  if (told) return;
  log.warn(
    { numero },
    `WhatsApp could not be told to unlink ${phone}, which was scanned for ${numero}: remove the device on the phone.`,
  );
}
