// libsignal prints whole sessions, private keys included, with console.info and console.warn at every change.
const SESSION_CHANGES =
  /^(Closing|Opening|Removing|Migrating|Session already|Decrypted message with closed) /;

for (const level of ['info', 'warn'] as const) {
  const print = console[level];
  console[level] = (...parts: unknown[]) => {
    if (typeof parts[0] !== 'string' || !SESSION_CHANGES.test(parts[0])) print(...parts);
  };
}
