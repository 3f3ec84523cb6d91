/** The gateway as `npm start` runs it, in a separate process. */

import { answerParent } from '../../../test/bench/child.ts';
import { createGateway, type Gateway } from '../../src/gateway.ts';
import { evenly, type Rate } from './evenly.ts';
import { type Load, LoadWatch } from './load.ts';
import { writeStamp } from './stamp.ts';

export interface Pace extends Rate {
  /** Pushes made before. */
  readonly before?: number;
}

export interface Traffic {
  /** Answered requests by status, without Socket.IO's handshakes and polls. */
  readonly answers: Readonly<Record<number, number>>;
  /** Requests of all kinds. */
  readonly requests: number;
}

let gateway: Gateway | undefined;
let watch = new LoadWatch();
let requests = 0;
const answers: Record<number, number> = {};

const calls = {
  /** Starts to listen, and returns the port. */
  async start({ port, sessions }: { port: number; sessions: number }): Promise<number> {
    gateway = createGateway({ port, sessions });
    gateway.app.addHook('onResponse', async (_request, { statusCode }) => {
      answers[statusCode] = (answers[statusCode] ?? 0) + 1;
    });
    gateway.app.server.on('request', () => {
      requests += 1;
    });
    return Number(new URL(await gateway.listen()).port);
  },

  /** Restarts the measurement. */
  watch(): void {
    watch.stop();
    watch = new LoadWatch();
  },

  /** Makes the connected phones report one state after the other, each when it is due. */
  async push({ rate, seconds, before = 0 }: Pace): Promise<void> {
    if (!gateway) throw new Error('The gateway is not started');
    const { phones } = gateway;
    const numeros = phones
      .list()
      .filter(({ state }) => state === 'connected')
      .map(({ numero }) => numero);
    await evenly({ rate, seconds }, (index, due) => {
      phones.phone(numeros[index % numeros.length] ?? '').report(writeStamp({ index: before + index, due }));
    });
  },

  /** Returns the load since the process started or the measurement was restarted. */
  load(): Load {
    return watch.stop();
  },

  /** Returns the requests since the start. */
  traffic(): Traffic {
    return { answers, requests };
  },
};

export type GatewayCalls = typeof calls;

process.on('SIGTERM', () => process.exit());
answerParent(calls);
