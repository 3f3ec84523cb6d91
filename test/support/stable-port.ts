import { once } from 'node:events';
import { createServer } from 'node:net';

/** Far from those of a process with a close id: test files run side by side. */
let last = process.pid * 12_361;

/** Above the last port that browsers block, 10080 (https://fetch.spec.whatwg.org/#port-blocking). */
const FIRST = 10_081;
const COUNT = 20_000;

/**
 * Finds a free port that stays free while it is not in use: below the ephemeral ports, which begin at 32768 (Linux) or
 * 49152 (RFC 6335 §6).
 */
export async function stablePort(): Promise<number> {
  for (;;) {
    last += 1;
    const port = FIRST + (last % COUNT);
    const server = createServer();
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return port;
    } catch {
      // In use: try the next one.
    } finally {
      server.close();
    }
  }
}
