import type { AuthenticationState, UserFacingSocketConfig } from '@whiskeysockets/baileys';
import type { Route } from '../../proxy/route.ts';
import type { createCaches } from './caches.ts';
import { SILENT } from './library.ts';
import type { ConnectionSettings } from './session-context.ts';

/** Returns the library's settings of a connection. @param route that through the proxy, if there is one */
export function libraryConfig(
  { url, version, timings }: ConnectionSettings,
  auth: AuthenticationState,
  route: Route | undefined,
  caches: ReturnType<typeof createCaches> | undefined,
): UserFacingSocketConfig {
  return {
    auth,
    version: version.current,
    logger: SILENT,
    ...(url !== undefined && { waWebSocketUrl: url }),
    // The WebSocket, uploads, and downloads.
    ...(route && { agent: route.agent, fetchAgent: route.agent, options: route.options }),
    defaultQueryTimeoutMs: timings.query,
    keepAliveIntervalMs: timings.keepAlive,
    qrTimeout: timings.code,
    // Otherwise the phone would get no notifications, and the account would always look online.
    markOnlineOnConnect: false,
    syncFullHistory: false,
    emitOwnEvents: false,
    // No second attempt at writing keys: it would hold up all other messages.
    transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
    ...caches,
  };
}
