/** WhatsApp and the owners of the phones, in a process of their own. */
import { STATES, type WireSession } from '../../../../src/wire.ts';
import { answerParent } from '../../../../test/bench/child.ts';
import { now } from '../../../../test/bench/now.ts';
import { until } from '../../../../test/support/until.ts';
import { type FakeWhatsapp, startFakeWhatsapp } from '../../whatsapp/fake/whatsapp.ts';
import { BarePanel } from '../bare-panel.ts';
import { inParallel } from './in-parallel.ts';
import { get } from './requests.ts';

interface Links {
  /** The gateway's. */
  readonly url: string;
  readonly numeros: readonly string[];
  /** How many owners scan at the same time. */
  readonly atOnce: number;
}

/** What WhatsApp saw since it was last asked. */
export interface Seen {
  /** When each client identified itself, by the clock of `now.ts`. */
  readonly logins: readonly number[];
  readonly keepAlives: number;
  /** Messages that the phones received and could read. */
  readonly messages: number;
  /** Broken protocol. */
  readonly errors: number;
  /** Of a core. */
  readonly cpu: number;
}

/** In milliseconds. */
const PATIENCE = 120_000;

let whatsapp: FakeWhatsapp | undefined;
let logins: number[] = [];
let since = { at: now(), cpu: process.cpuUsage(), keepAlives: 0, messages: 0 };

const calls = {
  /** Starts WhatsApp, and returns its URL. */
  async start(): Promise<string> {
    whatsapp = await startFakeWhatsapp();
    whatsapp.stepIn = (moment) => {
      if (moment === 'introduced') logins.push(now());
      return false;
    };
    return whatsapp.url;
  },

  /** Starts the sessions and scans their codes. Resolves when all are connected. */
  async link({ url, numeros, atOnce }: Links): Promise<void> {
    const codes = new Map<string, string>();
    const ready = new Set<string>();
    const panel = new BarePanel(url, (push) => {
      const [name, payload]: unknown[] = JSON.parse(push);
      const [, event, numero = ''] = String(name).split(':');
      if (event === 'qr') codes.set(numero, String(payload));
      if (event === 'ready') ready.add(numero);
    });
    await until(() => panel.isReady, 'the panel');
    await inParallel(numeros, atOnce, async (numero, index) => {
      await get(url, `/api/session/levanta/${numero}`, index);
      const code = await until(() => codes.get(numero), `a code of ${numero}`, PATIENCE);
      await running().phone(numero).scan(code);
      await until(() => ready.has(numero), `${numero} to be ready`, PATIENCE);
    });
    panel.close();
  },

  /** Resolves when the gateway says that all of its sessions, this many, are connected. */
  async connected({ url, count }: { url: string; count: number }): Promise<void> {
    await until(
      async () => {
        const sessions = (await get(url, '/api/session/sessions', 0)) as WireSession[];
        return sessions.length === count && sessions.every(({ state }) => state === STATES.connected);
      },
      'all sessions to be connected',
      PATIENCE,
    );
  },

  /** Cuts the line of a session, and returns when. */
  cut(numero: string): number {
    const at = now();
    running().phone(numero).cutLine();
    return at;
  },

  seen(): Seen {
    const { user, system } = process.cpuUsage(since.cpu);
    const { keepAlives, errors } = running();
    const messages = running().received;
    const seen = {
      logins,
      keepAlives: keepAlives - since.keepAlives,
      messages: messages - since.messages,
      errors: errors.length,
      cpu: (user + system) / 1_000 / (now() - since.at),
    };
    logins = [];
    since = { at: now(), cpu: process.cpuUsage(), keepAlives, messages };
    return seen;
  },
};

function running(): FakeWhatsapp {
  if (!whatsapp) throw new Error('WhatsApp is not started');
  return whatsapp;
}

export type PhonesCalls = typeof calls;

answerParent(calls);
