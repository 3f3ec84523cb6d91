import type { SocketConfig } from '@whiskeysockets/baileys';

const nothing = () => {};

/** Baileys logs keys and message texts: nobody wants them in a test's output. */
export const silentLogger: SocketConfig['logger'] = {
  level: 'silent',
  child: () => silentLogger,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};
