import type { ILogger } from '@whiskeysockets/baileys/lib/Utils/logger.js';
import { withInflateLimit } from './inflate-limit.ts';
import { silenceLibraryLogs } from './silenced-logs.ts';
import { ignoreLibraryRejections } from './uncaught-errors.ts';

/** The client library, which speaks WhatsApp's protocol. Its types cost nothing; its code is loaded on demand. */
export type Library = typeof import('@whiskeysockets/baileys');

/** Loads the library, after making sure that it prints nothing. */
export function loadLibrary(): Promise<Library> {
  silenceLibraryLogs();
  ignoreLibraryRejections();
  return withInflateLimit(() => import('@whiskeysockets/baileys'));
}

const nothing = () => {};

/** Its log would hold codes, keys and messages, so there is none. */
export const SILENT: ILogger = {
  level: 'silent',
  child: () => SILENT,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};
