#!/usr/bin/env node
import { constants, networkInterfaces } from 'node:os';
import { HELP, parseOptions, UsageError } from './config.ts';
import { handleUncaught } from './engines/whatsapp/uncaught-errors.ts';
import { createGateway, type Gateway } from './gateway.ts';
import { createLogger } from './log.ts';
import { inUrl, isEverywhere, LOOPBACK } from './security/addresses.ts';
import { FolderError } from './store/folder.ts';

const log = createLogger();

// Node's own report would print the whole error.
process.on('uncaughtException', (error) => {
  if (handleUncaught(error)) return;
  log.fatal({ err: error }, 'An unexpected error ended the gateway.');
  process.exit(1);
});

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(HELP);
  } else {
    const gateway = createGateway({ ...options, logger: log });
    drainOnSignals(gateway);
    const url = await gateway.listen();
    log.info({ engine: options.whatsapp ? 'whatsapp' : 'simulated', node: process.version }, 'Started');
    console.log(startText(url, options.host));
  }
} catch (error) {
  const sentence = sentenceOf(error);
  if (sentence === undefined) throw error;
  console.error(sentence);
  process.exit(1);
}

/** Ctrl-C arrives twice, from the terminal and from the parent process: within this time, in milliseconds. */
const SAME_SIGNAL = 500;

/** The first signal drains the gateway, a second one ends it at once. */
function drainOnSignals(gateway: Gateway): void {
  let since: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (since === undefined) {
        since = performance.now();
        void gateway.drain().then(() => process.exit(0));
      } else if (performance.now() - since > SAME_SIGNAL) {
        log.warn({ signal }, 'Ending at once.');
        process.exit(128 + constants.signals[signal]);
      }
    });
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
