import { join } from 'node:path';
import type { Scope } from '../../../../test/support/scope.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { built } from '../../support/built.ts';
import type { RunOptions } from '../../support/command.ts';
import { type FakeWhatsapp, type FakeWhatsappOptions, startFakeWhatsapp } from '../fake/whatsapp.ts';

const KILL_AT = built('test/preloads/kill-at-statement');

/** An SQLite statement; the gateway kills itself right before it. */
export interface Place {
  /** A regular expression that the statement matches. */
  readonly at: string;
  /** How many matching statements to let pass. Default 0. */
  readonly skip?: number;
}

/** Creates what consecutive gateways share: a data folder and a fake WhatsApp. */
export async function layOut(
  scope: Scope,
  options?: FakeWhatsappOptions,
): Promise<{ folder: string; whatsapp: FakeWhatsapp }> {
  const whatsapp = await startFakeWhatsapp(options);
  scope.after(() => whatsapp.close());
  return { folder: join(temporaryFolder(), 'data'), whatsapp };
}

/** The options of a gateway with the real client library, a data folder and a fake WhatsApp. */
export function onFolder(folder: string, { url }: FakeWhatsapp): string[] {
  return ['--engine', 'whatsapp', '--data', folder, '--whatsapp-url', url];
}

/** Has a gateway killed at `place`, if it gets there. */
export function killedAt({ at, skip = 0 }: Place): RunOptions {
  return { env: { WO_KILL_AT: at, WO_KILL_SKIP: String(skip) }, imports: KILL_AT };
}
