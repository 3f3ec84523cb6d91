import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Above the last port that browsers block, 10080 (https://fetch.spec.whatwg.org/#port-blocking). */
const FIRST = 10_081;
/** How many ports a process claims at a time, and how many such blocks there are: all below the ephemeral ports. */
const BLOCK = 200;
const BLOCKS = 100;

const ports = freePorts();

/**
 * Finds a free port that stays free while it is not in use: below the ephemeral ports, which begin at 32768 (Linux) or
 * 49152 (RFC 6335 §6), and in a block that no other process of tests uses.
 */
export async function stablePort(): Promise<number> {
  return (await ports.next()).value;
}

async function* freePorts(): AsyncGenerator<number, never> {
  for (let block = process.pid; ; block += 1) {
    const first = FIRST + BLOCK * (block % BLOCKS);
    // The first port of a block is taken as long as its process runs.
    const claim = await listen(first);
    claim?.unref();
    for (let port = first + 1; claim && port < first + BLOCK; port += 1) {
      const server = await listen(port);
      if (!server) continue;
      server.close();
      yield port;
    }
  }
}

/** Returns a server that listens on a port; undefined if the port is in use. */
async function listen(port: number): Promise<Server | undefined> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return undefined;
  }
}
