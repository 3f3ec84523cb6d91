import { StoreError } from './disk.ts';

/** The library and what it stands on, wherever npm has put them. */
const PACKAGES =
  /[\\/]node_modules[\\/](?:@whiskeysockets[\\/]baileys|libsignal|whatsapp-rust-bridge|async-mutex|p-queue|ws)[\\/]/;

const METHODS = ['debug', 'error', 'info', 'log', 'warn'] as const;

let quiet = false;

/**
 * Drops what the library prints: libsignal hands whole sessions, private keys included, to `console.info`
 * and `console.warn`. Everything else still prints. Also keeps promises that the library lets fall from ending
 * the process: when a line is cut in the middle of a handshake, some of them reject with nobody listening.
 */
export function silenceLibrary(): void {
  if (quiet) return;
  quiet = true;
  for (const method of METHODS) {
    const print = console[method];
    console[method] = (...words: unknown[]) => {
      // Only who calls: what we print because the library told us something has it in the stack as well.
      const [, , caller = ''] = new Error().stack?.split('\n') ?? [];
      if (!PACKAGES.test(caller)) print.apply(console, words);
    };
  }
  process.on('unhandledRejection', (reason) => {
    if (!isLibrarys(reason)) throw reason;
  });
}

function isLibrarys(reason: unknown): boolean {
  // Ours, and printed; what let it fall is the library.
  if (reason instanceof StoreError) return true;
  // The close code of a WebSocket, which the library rejects with when a line is cut.
  if (typeof reason === 'number') return true;
  return reason instanceof Error && PACKAGES.test(reason.stack ?? '');
}
