import { promisify } from 'node:util';
import { type InputType, inflate, type ZlibOptions } from 'node:zlib';
import type { BinaryNode, proto, WASocket } from '@whiskeysockets/baileys';
import type { ILogger } from '@whiskeysockets/baileys/lib/Utils/logger.js';
import { Fault } from '../../diagnosis.ts';
import type { Ack } from '../../sessions/engine.ts';
import { ignoreLibraryRejections } from './uncaught-errors.ts';

/** The client library for WhatsApp's protocol, loaded on demand. */
export type Library = typeof import('@whiskeysockets/baileys');

/** Installs the library, without the one for pictures that it asks for. */
export const INSTALL_LIBRARY = 'npm install --save-exact --omit=peer @whiskeysockets/baileys@7.0.0-rc14';

/** Loads the library, after making sure that it prints nothing. Rejects with a {@link Fault} if it is not installed. */
export async function loadLibrary(): Promise<Library> {
  silenceLibraryLogs();
  ignoreLibraryRejections();
  try {
    return await withInflateLimit(() => import('@whiskeysockets/baileys'));
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new Fault(
      `The engine whatsapp needs Baileys: run ${INSTALL_LIBRARY}, and read its licence notes in the README.`,
    );
  }
}

/** Whether the library itself is missing, rather than a package that it needs. */
function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'ERR_MODULE_NOT_FOUND' &&
    error.message.startsWith("Cannot find package '@whiskeysockets/baileys'")
  );
}

const drop = () => {};

/** A logger that drops everything: the library's log would hold codes, keys and messages. */
export const SILENT: ILogger = {
  level: 'silent',
  child: () => SILENT,
  trace: drop,
  debug: drop,
  info: drop,
  warn: drop,
  error: drop,
};

/**
 * Longest inflated frame, in bytes. Real ones have kilobytes; 4 MB of the smallest nodes take 150 MB once they are
 * parsed.
 */
const LIMIT = 2 ** 22;

/**
 * Loads a module with a `promisify(inflate)` that inflates no more than {@link LIMIT}.
 *
 * The client library has no limit (`WABinary/decode.js`, `Utils/history.js`) and no option for one: a frame of 1 MB
 * becomes 1 GB, and one of 16 MB ends the process. Not needed once it sets `maxOutputLength` itself.
 */
async function withInflateLimit<T>(load: () => Promise<T>): Promise<T> {
  Object.defineProperty(inflate, promisify.custom, { value: inflateLimited, configurable: true });
  try {
    return await load();
  } finally {
    Reflect.deleteProperty(inflate, promisify.custom);
  }
}

function inflateLimited(data: InputType, options: ZlibOptions = {}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    inflate(data, { maxOutputLength: LIMIT, ...options }, (error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });
}

/** The client library and its dependencies, wherever npm has installed them. */
const PACKAGES =
  /[\\/]node_modules[\\/](?:@whiskeysockets[\\/]baileys|libsignal|whatsapp-rust-bridge|p-queue)[\\/]/;

let silenced = false;

/**
 * Drops what the library writes to the console: libsignal passes whole sessions, private keys included, to
 * `console.info` and `console.warn`. Everything else still prints.
 */
function silenceLibraryLogs(): void {
  if (silenced) return;
  silenced = true;
  for (const method of ['debug', 'error', 'info', 'log', 'warn'] as const) {
    const print = console[method];
    console[method] = (...words: unknown[]) => {
      // Only the direct caller: our own callbacks, run by the library, have it deeper in the stack.
      const [, , caller = ''] = new Error().stack?.split('\n') ?? [];
      if (!PACKAGES.test(caller)) print.apply(console, words);
    };
  }
}

/** Returns what a status of the library says of a message; undefined if that is nothing new. */
export function ackOf(
  status: proto.WebMessageInfo.Status | null | undefined,
  library: Library,
): Ack | undefined {
  const { Status } = library.proto.WebMessageInfo;
  switch (status) {
    case Status.ERROR:
      return 'failed';
    case Status.DELIVERY_ACK:
      return 'device';
    case Status.READ:
    case Status.PLAYED:
      return 'read';
    default:
      return undefined;
  }
}

/**
 * Acknowledges a notification for a client that is not linked. Once a code was typed, the library does so itself. A
 * connection that breaks meanwhile is reported elsewhere.
 */
export function acknowledge({ authState, sendNode }: WASocket, library: Library, node: BinaryNode): void {
  if (!authState.creds.me) sendNode(library.buildAckStanza(node)).catch(() => {});
}
