#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { type Command, readCommand, UsageError } from './config.ts';
import { handleUncaught } from './engines/whatsapp/uncaught-errors.ts';
import { createGateway, type Gateway } from './gateway.ts';
import { logFailure } from './log.ts';
import { HELP } from './options.ts';
import { inUrl, isEverywhere, LOOPBACK } from './security/addresses.ts';
import { FolderError } from './store/folder.ts';

// Node's own report would print the whole error.
process.on('uncaughtException', (error) => {
  if (handleUncaught(error)) return;
  logFailure(error);
  process.exit(1);
});

try {
  process.exitCode = await run(readCommand(process.argv.slice(2)));
} catch (error) {
  const sentence = sentenceOf(error);
  if (sentence === undefined) throw error;
  console.error(sentence);
  process.exit(error instanceof UsageError ? 2 : 1);
}

/** Returns the exit code; a gateway that has been started keeps the process alive. */
async function run(command: Command): Promise<number> {
  switch (command.name) {
    case 'help':
      process.stdout.write(HELP);
      return 0;
    case 'version':
      console.log(version());
      return 0;
    case 'check':
      process.stdout.write(command.text);
      for (const problem of command.problems) console.error(problem);
      return command.problems.length > 0 ? 2 : 0;
    case 'serve': {
      const gateway = createGateway(command.options);
      closeOnSignals(gateway);
      const url = await gateway.listen();
      console.log(startText(url, command.options.host));
      return 0;
    }
    case 'backup':
    case 'restore':
    case 'list':
    case 'doctor':
    case 'rekey':
      throw new UsageError(`${command.name} is not available.`);
  }
}

function version(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  return version;
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

/**
 * Returns the first line of output: the gateway's URL and, if it listens on all addresses, its URLs for other machines.
 * Never the token, since this line ends up in logs.
 */
export function startText(url: string, host = LOOPBACK): string {
  const { port } = new URL(url);
  const others = isEverywhere(host)
    ? addresses(host === '::').map((address) => `http://${inUrl(address)}:${port}/`)
    : [];
  return [`${url}/ (Ctrl-C stops it)`, ...others.map((other) => `${other} from other machines`)].join('\n');
}

function addresses(isIpv6Too: boolean): string[] {
  return Object.values(networkInterfaces())
    .flatMap((infos = []) => infos)
    .filter(({ internal, family }) => !internal && (isIpv6Too || family === 'IPv4'))
    .map(({ address }) => address)
    .filter((address) => !isLinkLocal(address));
}

/** A link-local address works only with the name of an interface, which a URL cannot have. */
function isLinkLocal(address: string): boolean {
  return /^fe[89ab]/i.test(address);
}
