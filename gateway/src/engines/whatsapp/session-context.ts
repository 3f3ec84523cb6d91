import type { EngineLedger } from '../../ledger/engine-ledger.ts';
import type { ConnectionSettings, SharedSettings } from './connection-settings.ts';
import type { DeviceCredentials } from './credentials.ts';
import type { Connectivity } from './failures.ts';
import type { Proxies } from './proxies.ts';
import type { ClientVersion } from './version.ts';

/** The parts that all sessions of an engine share. */
export interface SessionContext extends SharedSettings {
  readonly version: ClientVersion;
  readonly ledger: EngineLedger;
  /** Reads the credentials of a stored session, or creates some. Throws a `StoreError` if they cannot be read. */
  readonly credentialsOf: (numero: string) => DeviceCredentials;
  readonly connectivity: Connectivity;
  readonly proxies: Proxies;
}

/** Returns what the next connection of a session needs. Throws a `StoreError` if its proxy cannot be read: it must not connect without. */
export function settingsOf(numero: string, context: SessionContext): ConnectionSettings {
  return { ...context, proxy: context.proxies.of(numero) };
}
