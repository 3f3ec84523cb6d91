import assert from 'node:assert/strict';
import { STATES } from '../../../../src/wire.ts';
import type { Scope } from '../../../../test/support/scope.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { until } from '../../../../test/support/until.ts';
import type { Timings } from '../../../src/engines/whatsapp/timings.ts';
import type { Gateway } from '../../../src/gateway.ts';
import { createLogger } from '../../../src/log.ts';
import type { NotifyOptions } from '../../../src/notify/notifier.ts';
import { call, itemOf, NUMERO, startGateway } from '../../support/gateway.ts';
import { type FakeWhatsapp, startFakeWhatsapp } from '../../whatsapp/fake/whatsapp.ts';
import { TIMINGS } from '../../whatsapp/support/engine-lab.ts';

export const SUPERVISOR = '34600000001';

/** A folder with a gateway that can be restarted, and a fake WhatsApp. */
export async function layOut(scope: Scope) {
  const whatsapp = await startFakeWhatsapp({ preKeys: 100 });
  scope.after(() => whatsapp.close());
  const folder = temporaryFolder();
  /** What the gateways have logged. */
  const log: string[] = [];
  const logger = createLogger('info', { write: (line) => log.push(JSON.parse(line).msg) });
  const start = (notify: NotifyOptions, timings: Partial<Timings> = {}) =>
    startGateway(scope, {
      whatsapp: { folder, url: whatsapp.url, timings: { ...TIMINGS, ...timings } },
      notify,
      logger,
    });
  return { whatsapp, folder, log, start };
}

/** Links the phone of a numero. */
export async function link(gateway: Gateway, whatsapp: FakeWhatsapp, numero = NUMERO): Promise<void> {
  assert.equal((await call(gateway, `/api/session/levanta/${numero}`)).status, 200);
  const code = await until(async () => (await itemOf(gateway, numero))?.qrCode, 'a code');
  await whatsapp.phone(numero).scan(code);
  await connected(gateway, numero);
}

export async function connected(gateway: Gateway, numero = NUMERO): Promise<void> {
  await until(
    async () => (await itemOf(gateway, numero))?.state === STATES.connected,
    `${numero} to be connected`,
  );
}
