/** A gateway with the client library, in a process of its own, as the command runs it. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { answerParent } from '../../../../test/bench/child.ts';
import type { Timings } from '../../../src/engines/whatsapp/timings.ts';
import { handleUncaught } from '../../../src/engines/whatsapp/uncaught-errors.ts';
import { createGateway, type Gateway } from '../../../src/gateway.ts';
import { type Load, LoadWatch } from '../load.ts';

interface GatewaySettings {
  /** The folder of the sessions. */
  readonly folder: string;
  /** WhatsApp's server. */
  readonly whatsapp: string;
  readonly timings?: Partial<Timings>;
  /** How long a session may be silent before it is probed, in milliseconds; 0 for ever. */
  readonly probe: number;
}

/** What the process uses. */
export interface Usage {
  /** Processor time since its start, in milliseconds. */
  readonly cpu: number;
  /** Resident memory, in bytes. */
  readonly memory: number;
  /** JavaScript objects alone, in bytes; garbage that was not collected yet included. */
  readonly heap: number;
}

let gateway: Gateway | undefined;
let watch: LoadWatch | undefined;

const calls = {
  /** Starts to listen, and returns the URL. */
  async start({ folder, whatsapp: url, timings = {}, probe }: GatewaySettings): Promise<string> {
    // Each client of the benchmark names an address of its own: the limits per address are not what it measures.
    gateway = createGateway({
      port: 0,
      trustProxy: ['127.0.0.1'],
      whatsapp: { folder, url, timings },
      probe,
    });
    return gateway.listen();
  },

  usage(): Usage {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    return { cpu: (user + system) / 1_000, memory: rss, heap: heapUsed };
  },

  /** Returns the bytes of the objects that are in use, after a full collection. */
  live(): number {
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
    return process.memoryUsage().heapUsed;
  },

  /** Starts a measurement. */
  watch(): void {
    watch = new LoadWatch();
  },

  /** Ends it, and returns the load since. */
  load(): Load {
    if (!watch) throw new Error('Nothing is measured');
    return watch.stop();
  },
};

export type GatewayCalls = typeof calls;

process.on('uncaughtException', (error) => {
  if (!handleUncaught(error)) throw error;
});
process.on('SIGTERM', () => void gateway?.close().then(() => process.exit()));
answerParent(calls);
