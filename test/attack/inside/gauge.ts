/** Loaded into the gateway's process: prints its resource usage on stderr, one line of JSON for each SIGUSR2. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Resource usage of the gateway's process. */
export interface Gauge {
  /** Memory in use, on and off the heap, after a garbage collection, in bytes. */
  readonly used: number;
  /** Open connections. */
  readonly sockets: number;
  /** Timers that keep the process alive. */
  readonly timers: number;
}

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

process.on('SIGUSR2', () => {
  if (typeof collectGarbage === 'function') collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  const count = (kind: string) => resources.filter((resource) => resource === kind).length;
  const gauge: Gauge = {
    used: heapUsed + external,
    sockets: count('TCPSocketWrap'),
    timers: count('Timeout'),
  };
  process.stderr.write(`${JSON.stringify(gauge)}\n`);
});
