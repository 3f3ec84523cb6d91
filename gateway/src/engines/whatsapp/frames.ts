import type { EventEmitter } from 'node:events';

const NOTHING = Buffer.alloc(0);
/**
 * Bytes passed to the library at a time. It reads every frame that it has been given, even after one that ends the
 * connection: a WebSocket message of 100 KB that inflates to empty frames would block it for half a minute.
 */
const CHUNK = 2 ** 18;

/**
 * Makes the library read its WebSocket messages one after the other, and reports those that it cannot read.
 *
 * By itself it reads them concurrently, whatever each inflates to, and drops the promise of each read
 * (WhiskeySockets/Baileys#2364): a connection whose ciphers are out of step looks open but is dead. This wrapper around
 * its `message` listener can go once that is fixed.
 *
 * @param onUnreadable called for each failure; `isSkipped` if only one node was lost, otherwise the connection has to
 *   be ended
 */
export function readInOrder(ws: EventEmitter, onUnreadable: (isSkipped: boolean) => void): void {
  const [read] = ws.listeners('message');
  if (!read) throw new Error('The library does not listen to its WebSocket');
  ws.removeAllListeners('message');

  const readAll = async (message: Buffer) => {
    for (let start = 0; start < message.length; start += CHUNK) {
      await readSome(message.subarray(start, start + CHUNK));
    }
  };
  const readSome = async (some: Buffer) => {
    // The library removes all listeners when it ends the connection.
    const isOver = () => ws.listenerCount('message') === 0;
    // After an unreadable frame the library keeps the rest until it is called again.
    for (let bytes = some; !isOver(); bytes = NOTHING) {
      try {
        await Reflect.apply(read, ws, [bytes]);
        return;
      } catch (error) {
        onUnreadable(isSkippable(error));
      }
    }
  };

  let turn = Promise.resolve();
  ws.on('message', (message: Buffer) => {
    turn = turn.then(() => readAll(message));
  });
}

/**
 * Whether a failed read has lost no more than one node: the frame was decrypted, so the ciphers of both sides are in
 * step, but could not be decoded. Reconnecting would not help: WhatsApp resends what was not acknowledged.
 */
export function isSkippable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Errors of zlib have no frame of the library in their stack.
  if ('code' in error && /^(?:Z_|ERR_BUFFER_TOO_LARGE$)/.test(String(error.code))) return true;
  // With source maps, its files have the names of their sources.
  return /[\\/]WABinary[\\/]decode\.[jt]s:/.test(error.stack ?? '');
}
