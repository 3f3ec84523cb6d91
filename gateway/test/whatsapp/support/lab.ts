import assert from 'node:assert/strict';
import type { Logger } from 'pino';
import { STATES, type WireSession } from '../../../../src/wire.ts';
import type { Scope } from '../../../../test/support/scope.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { until } from '../../../../test/support/until.ts';
import type { WhatsappOptions } from '../../../src/engines/whatsapp/engine.ts';
import type { Timings } from '../../../src/engines/whatsapp/timings.ts';
import { createGateway, type Gateway } from '../../../src/gateway.ts';
import { createLogger } from '../../../src/log.ts';
import { type Answer, call, Listener, listOf, message, sessionOf } from '../../support/gateway.ts';
import { type FakeWhatsapp, type FakeWhatsappOptions, startFakeWhatsapp } from '../fake/whatsapp.ts';
import { TIMINGS } from './engine-lab.ts';

export const NUMERO = '5215550001111';
export const OTHER = '34600000001';

interface LogLine {
  /** Of the engine's lines. */
  readonly engine?: string;
  readonly msg: string;
}

export interface LabOptions extends FakeWhatsappOptions {
  timings?: Partial<Timings>;
  keyFile?: string;
  /** The proxy of all sessions, and the page that tells where proxies go out. */
  proxy?: string;
  proxyCheck?: string;
  passkey?: boolean;
}

/** Starts a gateway with the real client library and a fake WhatsApp; everything ends with the test. */
export async function startLab(scope: Scope, options: LabOptions = {}): Promise<Lab> {
  const { timings, keyFile, proxy, proxyCheck, passkey, ...rest } = options;
  const folder = temporaryFolder();
  const whatsapp = await startFakeWhatsapp({ preKeys: 100, ...rest });
  const lab = new Lab(scope, whatsapp, folder, {
    timings: { ...TIMINGS, ...timings },
    keyFile,
    proxy,
    proxyCheck,
    passkey,
  });
  scope.after(async () => {
    await lab.close();
    await whatsapp.close();
  });
  await lab.start();
  return lab;
}

export class Lab {
  readonly whatsapp: FakeWhatsapp;
  readonly folder: string;
  /** The sentences of the engine's operator log. */
  readonly printed: string[] = [];
  /** All lines of the operator log. */
  readonly lines: string[] = [];
  readonly #scope: Scope;
  readonly #options: Omit<WhatsappOptions, 'folder'>;
  #gateway: Gateway | undefined;
  #listener: Listener | undefined;

  constructor(
    scope: Scope,
    whatsapp: FakeWhatsapp,
    folder: string,
    options: Omit<WhatsappOptions, 'folder'>,
  ) {
    this.#scope = scope;
    this.whatsapp = whatsapp;
    this.folder = folder;
    this.#options = options;
  }

  get gateway(): Gateway {
    return this.#gateway ?? assert.fail('not started');
  }

  /** A panel that has listened since the start of the gateway. */
  get listener(): Listener {
    return this.#listener ?? assert.fail('not started');
  }

  async start(): Promise<void> {
    const { url } = this.whatsapp;
    const whatsapp = { folder: this.folder, url, ...this.#options };
    this.#gateway = createGateway({ port: 0, whatsapp, logger: this.#logger() });
    await this.#gateway.listen();
    this.#listener = await Listener.connect(this.#scope, this.#gateway);
  }

  async close(): Promise<void> {
    await this.#gateway?.close();
  }

  /** Closes the gateway and starts another one with the same folder. */
  async restart(): Promise<void> {
    await this.gateway.close();
    await this.start();
  }

  #logger(): Logger {
    const write = (line: string) => {
      this.lines.push(line);
      const { engine, msg }: LogLine = JSON.parse(line);
      if (engine !== undefined) this.printed.push(msg);
    };
    return createLogger('trace', { write });
  }

  list(): Promise<WireSession[]> {
    return listOf(this.gateway);
  }

  session(numero = NUMERO): Promise<WireSession | undefined> {
    return sessionOf(this.gateway, numero);
  }

  levanta(numero = NUMERO): Promise<Answer> {
    return call(this.gateway, `/api/session/levanta/${encodeURIComponent(numero)}`);
  }

  delete(numero = NUMERO): Promise<Answer> {
    return call(this.gateway, `/api/session/${numero}`, { method: 'DELETE' });
  }

  pair(numero = NUMERO): Promise<Answer> {
    return call(this.gateway, `/api/session/${numero}/pairing`, { method: 'POST' });
  }

  unlink(numero = NUMERO): Promise<Answer> {
    return call(this.gateway, `/api/session/${numero}/unlink`, { method: 'POST' });
  }

  send(contacts: string[], text = 'Hola', from = NUMERO): Promise<Answer> {
    const body = message(from, contacts.map(Number), text);
    return call(this.gateway, '/api/message', { method: 'POST', body });
  }

  /** Resolves with the code in the list, once it differs from `before`. */
  code(numero = NUMERO, before?: string): Promise<string> {
    return until(async () => {
      const { qrCode } = (await this.session(numero)) ?? {};
      return qrCode === before ? undefined : qrCode;
    }, `a code for ${numero}`);
  }

  state(state: string | RegExp, numero = NUMERO): Promise<WireSession> {
    return until(async () => {
      const session = await this.session(numero);
      if (!session) return undefined;
      const fits = typeof state === 'string' ? session.state === state : state.test(session.state);
      if (!fits) throw new Error(`it is ${session.state}`);
      return session;
    }, `the state ${state} of ${numero}`);
  }

  /** Starts a session and has its phone scan the code, until list and panel show it. */
  async link(numero = NUMERO): Promise<void> {
    const before = this.heard(numero).length;
    await this.levanta(numero);
    await this.whatsapp.phone(numero).scan(await this.code(numero));
    await this.state(STATES.connected, numero);
    // The push may arrive after the list that already reflects it.
    await until(() => this.heard(numero).slice(before).includes('ready'), `${numero} to be ready`);
  }

  /** Returns the event names that the panel received for the session, and the texts of its state changes. */
  heard(numero = NUMERO): string[] {
    return this.listener.pushes.flatMap(([name, payload]) => {
      if (name === 'session:change_state') {
        const change = payload as { numero: string; state: string };
        return change.numero === numero ? [change.state] : [];
      }
      return name.endsWith(`:${numero}`) ? [name.split(':')[1] ?? ''] : [];
    });
  }
}
