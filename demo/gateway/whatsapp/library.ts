import type { ILogger } from '@whiskeysockets/baileys/lib/Utils/logger.js';
import { withInflateLimit } from './inflate-limit.ts';
import { silenceLibrary } from './quiet.ts';

/** The client library, which speaks WhatsApp's protocol. Its types cost nothing; its code is loaded on demand. */
export type Library = typeof import('@whiskeysockets/baileys');

/** Loads the library, made to be quiet before its first word. */
export function loadLibrary(): Promise<Library> {
  silenceLibrary();
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
