/** The client library and its dependencies, wherever npm has installed them. */
const PACKAGES =
  /[\\/]node_modules[\\/](?:@whiskeysockets[\\/]baileys|libsignal|whatsapp-rust-bridge|p-queue)[\\/]/;

const METHODS = ['debug', 'error', 'info', 'log', 'warn'] as const;

let silenced = false;

/**
 * Drops what the library writes to the console: libsignal passes whole sessions, private keys included, to
 * `console.info` and `console.warn`. Everything else still prints.
 */
export function silenceLibraryLogs(): void {
  if (silenced) return;
  silenced = true;
  for (const method of METHODS) {
    const print = console[method];
    console[method] = (...words: unknown[]) => {
      // Only the direct caller: our own callbacks, run by the library, have it deeper in the stack.
      const [, , caller = ''] = new Error().stack?.split('\n') ?? [];
      if (!PACKAGES.test(caller)) print.apply(console, words);
    };
  }
}
