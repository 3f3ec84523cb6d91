import type { ILogger } from '@whiskeysockets/baileys/lib/Utils/logger.js';
import { withInflateLimit } from './inflate-limit.ts';
import { silenceLibraryLogs } from './silenced-logs.ts';
import { ignoreLibraryRejections } from './uncaught-errors.ts';

/** The client library for WhatsApp's protocol, loaded on demand. */
export type Library = typeof import('@whiskeysockets/baileys');

/** Loads the library, after making sure that it prints nothing. */
export function loadLibrary(): Promise<Library> {
  silenceLibraryLogs();
  ignoreLibraryRejections();
  return withInflateLimit(() => import('@whiskeysockets/baileys'));
}

const drop = () => {};

/** A logger that drops everything: the library's log would hold codes, keys and messages. */
export const SILENT: ILogger = {
  level: 'silent',
  child: () => SILENT,
  trace: drop,
  debug: drop,
  info: drop,
  warn: drop,
  error: drop,
};
