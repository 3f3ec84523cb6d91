import { constants, openSync } from 'node:fs';
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { prettyFactory } from 'pino-pretty';

/** The least level that is logged. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** What a log line must never hold, at the top and one level down: such a field is censored. */
const SECRETS = [
  ...['auth', 'authorization', 'token', 'password', 'database', 'headers', 'cookie', 'query', 'url'],
  ...['qr', 'qrCode', 'creds', 'credentials', 'keys', 'body', 'cuerpo', 'mensaje', 'contactos', 'text'],
];

/**
 * Creates the operator log: one JSON line per event on stderr, readable text if that is a terminal.
 *
 * @param level default `info`
 * @param stream where the lines go instead
 */
export function createLogger(level: LogLevel = 'info', stream?: DestinationStream): Logger {
  const options = {
    level,
    // A collector of the log knows the process and the machine.
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describe, req: () => undefined, res: () => undefined },
    redact: SECRETS.flatMap((name) => [name, `*.${name}`]),
    hooks: { logMethod: withoutErrorMessage },
  };
  const dropped = (lines: number) => log.warn({ lines }, 'Lines of the log were dropped: nobody read it.');
  const log: Logger = pino(options, stream ?? standardError(dropped));
  return log;
}

/** How many bytes of lines wait while nobody reads them, or the disk is full; further ones are dropped. */
const WAITING = 4_000_000;
/** How soon it is tried again to write them, and how long at the end of the process, in milliseconds. */
const RETRY = 20;
const LAST_RETRY = 1_000;

/**
 * Writes synchronously, so that nothing is lost however the process ends, but never waits for a reader.
 *
 * @param onDropped is told how many lines were dropped, once the others are written
 */
function standardError(onDropped: (lines: number) => void): DestinationStream {
  // Once it is used, Node makes a pipe or a socket fail with EAGAIN where it would block.
  const { isTTY } = process.stderr;
  const dest = isTTY ? openTerminal() : 2;
  const output = destination({ dest, sync: true, maxLength: WAITING, retryEAGAIN: () => false });
  let dropped = 0;
  let isBehind = false;
  const write = () => {
    isBehind = false;
    output.write('');
  };
  // Without a listener, a log that cannot be written would end the gateway.
  output.on('error', () => {
    if (!isBehind) setTimeout(write, RETRY).unref();
    isBehind = true;
  });
  output.on('drop', () => {
    dropped += 1;
  });
  output.on('drain', () => {
    if (dropped === 0 || isBehind) return;
    const lines = dropped;
    dropped = 0;
    onDropped(lines);
  });
  process.on('exit', () => {
    const end = performance.now() + LAST_RETRY;
    while (isBehind && performance.now() < end) write();
  });
  if (!isTTY) return output;
  const readable = prettyFactory({ singleLine: true, translateTime: 'SYS:HH:MM:ss' });
  return { write: (line) => output.write(readable(line)) };
}

/** A terminal that is stopped, as by Ctrl-S, blocks whoever writes to it, unless it was opened not to. */
function openTerminal(): number {
  try {
    return openSync('/dev/fd/2', constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
  } catch {
    return 2;
  }
}

/**
 * Describes what kind of error occurred, and where. Never its message: Node and others quote input there, which may be
 * a message, a code or a key.
 */
function describe(error: unknown) {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack = '' } = error;
  const start = stack.indexOf(message) + message.length;
  const frames = stack
    .slice(start)
    .split('\n')
    .filter((line) => line.startsWith('    at '));
  const code = 'code' in error ? { code: String(error.code) } : {};
  return { type: name, ...code, stack: frames.join('\n') };
}

/** Pino takes an error's message for a line that has none of its own, and so does fastify. */
function withoutErrorMessage(
  this: Logger,
  [first, text, ...others]: Parameters<Logger['info']>,
  write: Logger['info'],
): void {
  const fields: unknown = first;
  const error = fields instanceof Error ? fields : errorIn(fields);
  if (!error) {
    write.apply(this, text === undefined ? [first] : [first, text, ...others]);
    return;
  }
  const isOurs = text !== undefined && !(error.message !== '' && text.includes(error.message));
  const bare = fields instanceof Error ? { err: error } : fields;
  write.apply(this, [bare, isOurs ? text : `Error: ${error.name}`, ...others]);
}

function errorIn(fields: unknown): Error | undefined {
  if (typeof fields !== 'object' || fields === null || !('err' in fields)) return undefined;
  return fields.err instanceof Error ? fields.err : undefined;
}
