/** Many nodes of a cluster in one process: all of a gateway but phones, HTTP and sockets. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { STATES } from '../../../../src/wire.ts';
import { answerParent } from '../../../../test/bench/child.ts';
import { PostgresCluster } from '../../../src/cluster/cluster.ts';
import { PLAIN } from '../../../src/ledger/cipher.ts';
import { Registry } from '../../../src/sessions/registry.ts';
import { evenly, type Rate } from '../evenly.ts';
import { type Load, LoadWatch } from '../load.ts';
import { StillEngine } from './still-engine.ts';

interface Nodes {
  readonly database: string;
  readonly count: number;
  /** In seconds. */
  readonly lease: number;
  /** Most sessions of each. */
  readonly capacity: number;
}

interface NodeHere {
  readonly cluster: PostgresCluster;
  readonly sessions: Registry;
  readonly engine: StillEngine;
}

const log = pino({ level: 'warn' }, pino.destination(2));
let nodes: readonly NodeHere[] = [];
let watch = new LoadWatch();
/** Pushes that all nodes here have heard. */
let heard = 0;

/** Answers for the node whose place is the first part of the path. */
const server = createServer(({ url = '' }, response) => {
  const { cluster } = nodes[Number(url.split('/')[1])] ?? {};
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ id: cluster?.member.id ?? '' }));
});

const calls = {
  /** Connects the nodes, which read the list. Returns the memory of each list, in bytes. */
  async open({ database, count, lease, capacity }: Nodes): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    nodes = Array.from({ length: count }, () => {
      const engine = new StillEngine();
      const cluster = new PostgresCluster(
        { database, lease, maxSessions: capacity },
        {
          shared: { name: 'simulated', cipher: PLAIN, seeds: [] },
          emit: () => {
            heard += 1;
          },
          registry: () => sessions,
        },
        log,
      );
      const sessions: Registry = new Registry({
        engine,
        ledger: () => cluster.ledger,
        cluster,
        name: 'bench',
        probe: 0,
      });
      return { engine, cluster, sessions };
    });
    const before = usedMemory();
    await Promise.all(nodes.map(({ sessions }) => sessions.restore()));
    return (usedMemory() - before) / count;
  },

  /** Returns how the URLs of all nodes here begin. */
  url(): string {
    return urlHere();
  },

  /** Lets the nodes join, one after the other: they share one event loop. */
  async join(): Promise<void> {
    for (const [place, { cluster }] of nodes.entries()) await cluster.join(`${urlHere()}/${place}`);
  },

  /** Returns how many sessions each node owns. */
  owned(): number[] {
    return nodes.map(({ sessions }) => sessions.own.length);
  },

  /** Returns how many sessions every node here lists as connected. */
  listed(): number {
    const connected = ({ sessions }: NodeHere) =>
      sessions.list().filter(({ state }) => state === STATES.connected).length;
    return Math.min(...nodes.map(connected));
  },

  /** Pushes at this rate, by all nodes here in turns. */
  async push(rate: Rate): Promise<void> {
    heard = 0;
    await evenly(rate, (index) => {
      nodes[index % nodes.length]?.engine.report(Math.floor(index / nodes.length));
    });
  },

  /** Returns how many pushes the nodes here have heard since the last call of `push`. */
  heard(): number {
    return heard;
  },

  /** Restarts the measurement. */
  watch(): void {
    watch.stop();
    watch = new LoadWatch();
  },

  load(): Load {
    return watch.stop();
  },
};

function urlHere(): string {
  const address: string | AddressInfo | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('The nodes are not open');
  return `http://127.0.0.1:${address.port}`;
}

function usedMemory(): number {
  global.gc?.();
  return process.memoryUsage().heapUsed;
}

export type NodesCalls = typeof calls;

answerParent(calls);
