import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port to leave and to come back to: nobody gets it meanwhile by asking for any free one. Systems give those from
 * 32768 on (Linux) or from 49152 on (RFC 6335 §6), also to the hundreds of connections that browsers open.
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
      // Somebody has it.
    } finally {
      server.close();
    }
  }
}
