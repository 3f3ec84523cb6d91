import type { SocketConfig } from '@whiskeysockets/baileys';

const nothing = () => {};

/** Drops everything: Baileys logs keys and message texts, which do not belong in a test's output. */
export const silentLogger: SocketConfig['logger'] = {
  level: 'silent',
  child: () => silentLogger,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};
