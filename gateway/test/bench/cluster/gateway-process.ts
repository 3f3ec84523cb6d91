/** One of several gateways on one database, or one without, in a separate process. */

import { pino } from 'pino';
import { answerParent } from '../../../../test/bench/child.ts';
import { createSeeds } from '../../../src/engines/simulated/seeds.ts';
import { createGateway, type Gateway } from '../../../src/gateway.ts';
import { evenly, type Rate } from '../evenly.ts';
import { type Load, LoadWatch } from '../load.ts';
import { writeStamp } from '../stamp.ts';

interface Start {
  /** Of all gateways together. */
  readonly sessions: number;
  /** `postgres://…`, and how many of the sessions this gateway owns; without it, all. */
  readonly cluster?: { readonly database: string; readonly share: number };
}

/** The pushes of one of `of` gateways that take turns, each to this many of its phones. */
interface Turns extends Rate {
  readonly place: number;
  readonly of: number;
  readonly phones: number;
}

let gateway: Gateway | undefined;
let watch = new LoadWatch();

const calls = {
  /** Starts to listen, and returns the URL. */
  async start({ sessions, cluster }: Start): Promise<string> {
    const seeds = createSeeds(sessions).map(({ numero }) => ({ numero, state: 'connected' as const }));
    gateway = createGateway({
      port: 0,
      sessions: seeds,
      logger: pino({ level: 'warn' }, pino.destination(2)),
      ...(cluster && { cluster: { database: cluster.database, maxSessions: cluster.share } }),
    });
    return gateway.listen();
  },

  /** Returns how many phones are connected here. */
  connected(): number {
    return connectedNumeros().length;
  },

  /** Restarts the measurement. */
  watch(): void {
    watch.stop();
    watch = new LoadWatch();
  },

  /** Makes the connected phones report one state after the other, each when it is due. */
  async push({ rate, seconds, place, of, phones }: Turns): Promise<void> {
    const numeros = connectedNumeros().slice(0, phones);
    await evenly({ rate, seconds }, (index, due) => {
      const stamp = writeStamp({ index: index * of + place, due });
      gateway?.phones.phone(numeros[index % phones] ?? '').report(stamp);
    });
  },

  /** Returns the load since the measurement was restarted. */
  load(): Load {
    return watch.stop();
  },
};

function connectedNumeros(): string[] {
  if (!gateway) throw new Error('The gateway is not started');
  const connected = gateway.phones.list().filter(({ state }) => state === 'connected');
  return connected.map(({ numero }) => numero);
}

export type GatewayCalls = typeof calls;

process.on('SIGTERM', () => process.exit());
answerParent(calls);
