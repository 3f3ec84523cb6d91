import type { Logger } from 'pino';
import type { EngineLedger } from '../../ledger/engine-ledger.ts';
import type { ProxyServer } from '../../proxy/proxy.ts';
import type { ClientWarnings } from '../../security/client-warnings.ts';
import type { DeviceCredentials } from './credentials.ts';
import type { Connectivity } from './failures.ts';
import type { Library } from './library.ts';
import type { Proxies } from './proxies.ts';
import type { Timings } from './timings.ts';
import type { ClientVersion } from './version.ts';

/** The parts that all connections of an engine share. */
export interface SharedSettings {
  readonly library: Library;
  /** WhatsApp's server, as `wss://…`; undefined for the library's default. */
  readonly url: string | undefined;
  /** The version of WhatsApp Web to present. */
  readonly version: Pick<ClientVersion, 'current'>;
  readonly timings: Timings;
  readonly proxies: Pick<Proxies, 'exitOf'>;
  /** Whether accounts that require a passkey are linked. */
  readonly passkey: boolean;
  /** The operator log. */
  readonly log: Logger;
}

/** What a connection needs. */
export interface ConnectionSettings extends SharedSettings {
  /** The proxy that everything of the connection goes through; undefined for none. */
  readonly proxy: ProxyServer | undefined;
}

/** The parts that all sessions of an engine share. */
export interface SessionContext extends SharedSettings {
  readonly version: ClientVersion;
  readonly ledger: EngineLedger;
  /** Reads the credentials of a stored session, or creates some. Throws a `StoreError` if they cannot be read. */
  readonly credentialsOf: (numero: string) => DeviceCredentials;
  readonly connectivity: Connectivity;
  /** Of failures that WhatsApp may cause on every attempt. */
  readonly warnings: ClientWarnings;
  readonly proxies: Proxies;
}

/** Returns what the next connection of a session needs. Throws a `StoreError` if its proxy cannot be read: it must not connect without. */
export function settingsOf(numero: string, context: SessionContext): ConnectionSettings {
  return { ...context, log: context.log.child({ numero }), proxy: context.proxies.of(numero) };
}
