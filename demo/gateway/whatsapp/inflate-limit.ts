import { promisify } from 'node:util';
import { type InputType, inflate, type ZlibOptions } from 'node:zlib';

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
export async function withInflateLimit<T>(load: () => Promise<T>): Promise<T> {
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
