import type { EventEmitter } from 'node:events';

const NOTHING = Buffer.alloc(0);
/**
 * How much the library is given at once, in bytes. Of what it has it reads every frame, though the first one ends the
 * line: a WebSocket message of 100 KB, inflated to empty frames, would keep it busy for half a minute.
 */
const AT_ONCE = 2 ** 18;

/**
 * Makes the library read one message of its WebSocket after the other, and tells what it could not read.
 *
 * Left to itself it reads them side by side, however much each of them inflates to, and drops the promise of what it
 * reads (WhiskeySockets/Baileys#2364): a line whose ciphers are out of step looks open and is dead. Its `message`
 * listener is wrapped for as long as that is so.
 * @param unread hears of each failure, and whether only one node was lost; if more was, it ends the line
 */
export function readInTurn(ws: EventEmitter, unread: (leftOut: boolean) => void): void {
  const [read] = ws.listeners('message');
  if (!read) throw new Error('The library does not listen to its WebSocket');
  ws.removeAllListeners('message');

  const readAll = async (message: Buffer) => {
    for (let start = 0; start < message.length; start += AT_ONCE) {
      await readSome(message.subarray(start, start + AT_ONCE));
    }
  };
  const readSome = async (some: Buffer) => {
    // When it ends the line the library takes every listener off.
    const isOver = () => ws.listenerCount('message') === 0;
    // What follows an unreadable frame waits in the library, until it is given more.
    for (let bytes = some; !isOver(); bytes = NOTHING) {
      try {
        await Reflect.apply(read, ws, [bytes]);
        return;
      } catch (error) {
        unread(isLeftOut(error));
      }
    }
  };

  let turn = Promise.resolve();
  ws.on('message', (message: Buffer) => {
    turn = turn.then(() => readAll(message));
  });
}

/**
 * Whether a failure to read a frame has cost no more than that frame's node: it was decrypted, so the ciphers of both
 * sides are in step, and could not be decoded. To end the line for it would be to end it for ever, since WhatsApp sends
 * what was not acknowledged again.
 */
export function isLeftOut(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Those of zlib have no frame of the library in their stack.
  if ('code' in error && /^(?:Z_|ERR_BUFFER_TOO_LARGE$)/.test(String(error.code))) return true;
  // Where source maps are read, its files have the names that they were written under.
  return /[\\/]WABinary[\\/]decode\.[jt]s:/.test(error.stack ?? '');
}
