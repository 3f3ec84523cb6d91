import type { Logger } from 'pino';
import type { ProxyServer } from '../../proxy/proxy.ts';
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
  /** The operator log. */
  readonly log: Logger;
}

/** What a connection needs. */
export interface ConnectionSettings extends SharedSettings {
  /** The proxy that everything of the connection goes through; undefined for none. */
  readonly proxy: ProxyServer | undefined;
}
