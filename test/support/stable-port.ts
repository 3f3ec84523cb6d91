import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Finds a free port that stays free while it is not in use: below the ephemeral ports, which begin at 32768 (Linux) or
 * 49152 (RFC 6335 §6).
 */
export async function stablePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const server = createServer();
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return port;
    } catch {
      // In use: try another.
    } finally {
      server.close();
    }
  }
}
