import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { type Command, readCommand, UsageError } from './config.ts';
import { Fault } from './diagnosis.ts';
import { handleUncaught } from './engines/whatsapp/uncaught-errors.ts';
import type { Gateway } from './gateway.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { HELP } from './help.ts';
import { createLogger, type LogLevel } from './log.ts';
import { newUser } from './security/access-file.ts';
import { printable } from './terminal.ts';
import { version } from './version.ts';

const log = createLogger();

// Node's own report would print the whole error.
process.on('uncaughtException', (error) => {
  if (handleUncaught(error)) return;
  log.fatal({ err: error }, 'An unexpected error ended the gateway.');
  process.exit(1);
});

try {
  process.exitCode = await run(readCommand(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  complain(error.message);
  process.exit(error instanceof UsageError ? 2 : 1);
}

/** Prints a line, which may contain stored texts. */
function say(line: string): void {
  console.log(printable(line));
}

/** Prints sentences, one per line, which may quote stored texts. */
function complain(sentences: string): void {
  for (const sentence of sentences.split('\n')) console.error(printable(sentence));
}

/**
 * Returns the exit code; a gateway that has been started keeps the process alive. Each command loads only its own modules:
 * those of a gateway take half a second.
 */
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
      for (const problem of command.problems) complain(problem);
      return command.problems.length > 0 ? 2 : 0;
    case 'token':
      for (const line of newUser(command.user)) say(line);
      return 0;
    case 'serve':
      await serve(command.options, command.logLevel);
      return 0;
    default: {
      const { runCommand } = await import('./commands.ts');
      return runCommand(command, say);
    }
  }
}

async function serve(options: GatewayOptions, level: LogLevel): Promise<void> {
  log.level = level;
  const { createGateway } = await import('./gateway.ts');
  const gateway = createGateway({ ...options, logger: log });
  handleSignals(gateway);
  try {
    const url = await gateway.listen();
    const { remote, whatsapp } = options;
    log.info(
      { engine: remote?.name ?? (whatsapp ? 'whatsapp' : 'simulated'), node: process.version },
      'Started',
    );
    // Never the token, since this line ends up in logs.
    console.log(`${url}/ (Ctrl-C stops it)`);
  } catch (error) {
    const isOfAddress = error instanceof Error && /^(?:listen|getaddrinfo) /.test(error.message);
    throw isOfAddress ? new Fault(`The gateway cannot listen: ${error.message}.`) : error;
  }
}

/** Ctrl-C arrives twice, from the terminal and from the parent process: within this time, in milliseconds. */
const SAME_SIGNAL = 500;

/** The first signal drains the gateway, a second one ends it at once. SIGHUP has it read its files again. */
function handleSignals(gateway: Gateway): void {
  let since: number | undefined;
  const end = (signal: NodeJS.Signals) => {
    if (since === undefined) {
      since = performance.now();
      void gateway.drain().then(() => {
        if (signal !== 'SIGHUP') process.exit(0);
        // Node 20 aborts at an exit of its own without its terminal (ResetStdio in node.cc), but not by the signal.
        process.removeAllListeners(signal);
        process.kill(process.pid, signal);
      });
    } else if (performance.now() - since > SAME_SIGNAL) {
      log.warn({ signal }, 'Ending at once.');
      process.exit(128 + constants.signals[signal]);
    }
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  const hadTerminal = isatty(0);
  process.on('SIGHUP', (signal) => {
    const isTerminalClosed = hadTerminal && !isatty(0);
    if (isTerminalClosed) end(signal);
    else gateway.reload();
  });
}
