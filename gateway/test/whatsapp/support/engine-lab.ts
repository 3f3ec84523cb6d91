import assert from 'node:assert/strict';
import { pino } from 'pino';
import { PATIENCE } from '../../../../test/support/patience.ts';
import type { Scope } from '../../../../test/support/scope.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { until } from '../../../../test/support/until.ts';
import { type ConnectionOptions, WhatsappEngine } from '../../../src/engines/whatsapp/engine.ts';
import type { Timings } from '../../../src/engines/whatsapp/timings.ts';
import type { AskVersion } from '../../../src/engines/whatsapp/version.ts';
import type { Change } from '../../../src/ledger/row.ts';
import { openLedger } from '../../../src/ledger/sqlite.ts';
import type { EngineEvent, Pairing, Sign } from '../../../src/sessions/engine.ts';
import { type FakeWhatsapp, type FakeWhatsappOptions, startFakeWhatsapp } from '../fake/whatsapp.ts';
import { HeldStore } from './held-store.ts';

/** Short where a test would have to wait, long where a busy machine would be too slow. */
export const TIMINGS: Partial<Timings> = {
  retryFirst: 40,
  retryMost: 200,
  pause: 5,
  send: PATIENCE,
  unlink: 30_000,
  proxy: PATIENCE,
  // The library takes a pause of this process for one of WhatsApp.
  keepAlive: 3_600_000,
  stagger: 0,
};

export interface EngineLabOptions extends FakeWhatsappOptions {
  timings?: Partial<Timings>;
  /** WhatsApp's answer to a request for the current version. Default: it is not asked. */
  askVersion?: AskVersion;
  /** Whether accounts that require a passkey are linked. */
  passkey?: boolean;
  /** The writes of keys that wait for the test. Default: none. */
  holds?: (numero: string, changes: readonly Change[]) => boolean;
}

/** Starts an engine with the real client library and a fake WhatsApp; everything ends with the test. */
export async function startEngine(scope: Scope, options: EngineLabOptions = {}): Promise<EngineLab> {
  const { timings, askVersion, passkey, holds = () => false, ...rest } = options;
  const whatsapp = await startFakeWhatsapp({ preKeys: 100, ...rest });
  scope.after(() => whatsapp.close());
  const lab = new EngineLab(
    whatsapp,
    temporaryFolder(),
    { timings: { ...TIMINGS, ...timings }, passkey, ...(askVersion && { askVersion }) },
    holds,
  );
  scope.after(() => lab.close());
  await lab.open();
  return lab;
}

/** An engine and what it has reported. */
export class EngineLab {
  readonly whatsapp: FakeWhatsapp;
  readonly folder: string;
  readonly #options: ConnectionOptions;
  readonly #holds: (numero: string, changes: readonly Change[]) => boolean;
  readonly #events = new Map<string, Exclude<EngineEvent, Sign>[]>();
  readonly #signs = new Map<string, Sign[]>();
  /** The sentences of the operator log. */
  readonly printed: string[] = [];
  #store: HeldStore | undefined;
  #engine: WhatsappEngine | undefined;

  constructor(
    whatsapp: FakeWhatsapp,
    folder: string,
    options: ConnectionOptions,
    holds: (numero: string, changes: readonly Change[]) => boolean,
  ) {
    this.whatsapp = whatsapp;
    this.folder = folder;
    this.#options = options;
    this.#holds = holds;
  }

  get engine(): WhatsappEngine {
    return this.#engine ?? assert.fail('not open');
  }

  get store(): HeldStore {
    return this.#store ?? assert.fail('not open');
  }

  async open(): Promise<void> {
    const print = (sentence: string) => this.printed.push(sentence);
    const store = new HeldStore(await openLedger(this.folder, print), this.#holds);
    const log = pino({ level: 'warn' }, { write: (line: string) => print(JSON.parse(line).msg) });
    const options = { ...this.#options, url: this.whatsapp.url };
    this.#store = store;
    this.#engine = new WhatsappEngine(async () => store, log, options);
    await this.#engine.restore(this.report);
  }

  async close(): Promise<void> {
    this.#store?.letGo();
    await this.#engine?.close();
  }

  /** Closes the engine, and opens another one with the same folder. */
  async reopen(): Promise<void> {
    await this.close();
    await this.open();
  }

  readonly report = (numero: string) => (event: EngineEvent) => {
    if (isSign(event)) this.#signs.set(numero, [...this.signs(numero), event]);
    else this.#events.set(numero, [...this.events(numero), event]);
  };

  /** What was reported of a session, without signs, which come at any time. */
  events(numero: string): Exclude<EngineEvent, Sign>[] {
    return this.#events.get(numero) ?? [];
  }

  signs(numero: string): Sign[] {
    return this.#signs.get(numero) ?? [];
  }

  heard(numero: string): string[] {
    return this.events(numero).map(({ type }) => type);
  }

  /** Resolves with the last event of the session once it is of this type, and not the event `before`. */
  last<T extends EngineEvent['type']>(numero: string, type: T, before?: EngineEvent) {
    return until(() => {
      const event = this.events(numero).at(-1);
      return event && event !== before && isOf(event, type) ? event : undefined;
    }, `the last event of ${numero} to be ${type}`);
  }

  async start(numero: string): Promise<void> {
    await this.engine.start(numero, this.report(numero));
  }

  /** Resolves with the last code to scan that was reported after the first `from` events. */
  code(numero: string, from = 0): Promise<string> {
    return until(() => {
      const event = this.events(numero)
        .slice(from)
        .findLast(({ type }) => type === 'qr');
      return event?.type === 'qr' ? event.code : undefined;
    }, `a code of ${numero}`);
  }

  /** Returns the code to type that was reported last, if it is not over. */
  pairing(numero: string): Pairing | undefined {
    const event = this.events(numero).findLast(({ type }) => type === 'pairing');
    return event?.type === 'pairing' ? event.pairing : undefined;
  }

  /** Starts a session and has its phone scan the code. */
  async link(numero: string): Promise<void> {
    const before = this.heard(numero).length;
    await this.start(numero);
    await this.whatsapp.phone(numero).scan(await this.code(numero, before));
    await until(() => this.heard(numero).slice(before).includes('ready'), `${numero} to be linked`);
  }
}

function isSign(event: EngineEvent): event is Sign {
  return ['signal', 'limited', 'quota', 'exit'].includes(event.type);
}

function isOf<T extends EngineEvent['type']>(
  event: EngineEvent,
  type: T,
): event is EngineEvent & { type: T } {
  return event.type === type;
}
