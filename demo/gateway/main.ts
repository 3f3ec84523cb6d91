import { createGateway, type Gateway } from './gateway.ts';
import { logFailure } from './log.ts';
import { HELP, parseOptions, UsageError } from './options.ts';
import { startText } from './start-text.ts';
import { FolderError } from './whatsapp/folder.ts';
import { handleUncaught } from './whatsapp/uncaught-errors.ts';

// Node's own report would print the whole error.
process.on('uncaughtException', (error) => {
  if (handleUncaught(error)) return;
  logFailure(error);
  process.exit(1);
});

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(HELP);
  } else {
    const gateway = createGateway(options);
    closeOnSignals(gateway);
    const url = await gateway.listen();
    console.log(startText(url, options.host));
  }
} catch (error) {
  const sentence = sentenceOf(error);
  if (sentence === undefined) throw error;
  console.error(sentence);
  process.exit(1);
}

/** Ctrl-C may arrive twice, from the terminal and from the parent process: `close` runs once. */
function closeOnSignals(gateway: Gateway): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void gateway.close().then(() => process.exit(0)));
  }
}

/** Returns a sentence for a mistake of the operator; undefined for a bug of ours. */
function sentenceOf(error: unknown): string | undefined {
  if (error instanceof UsageError || error instanceof FolderError) return error.message;
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const { address, hostname, port }: Record<string, unknown> = { ...error };
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use: stop the program that uses it, or choose another with --port.`;
    case 'EACCES':
      return `Port ${port} needs more privileges: choose one above 1023 with --port.`;
    case 'EADDRNOTAVAIL':
      return `${address} is not an address of this machine: choose another with --host.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The name ${hostname} cannot be resolved: choose another with --host.`;
    default:
      return undefined;
  }
}
