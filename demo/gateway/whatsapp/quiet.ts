import { isForLine } from './blame.ts';

/** The library and what it stands on, wherever npm has put them. */
const PACKAGES =
  /[\\/]node_modules[\\/](?:@whiskeysockets[\\/]baileys|libsignal|whatsapp-rust-bridge|p-queue)[\\/]/;

const METHODS = ['debug', 'error', 'info', 'log', 'warn'] as const;

let quiet = false;

/**
 * Drops what the library prints: libsignal hands whole sessions, private keys included, to `console.info`
 * and `console.warn`. Everything else still prints. Also keeps promises that the library lets fall from ending
 * the process: when a line is cut, or WhatsApp refuses something, some of them reject with nobody listening, and
 * nothing is wrong with the line.
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
    if (!isForLine()) throw reason;
  });
}
