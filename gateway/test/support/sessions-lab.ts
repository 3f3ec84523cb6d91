import type fc from 'fast-check';
import { apply, NO_DETAILS, type Push as PanelPush } from '../../../src/session/session.ts';
import type { WireListItem } from '../../../src/wire.ts';
import { detailsOf } from '../../src/sessions/details.ts';
import type { Delivery, Engine, EngineEvent, Pairing, Report } from '../../src/sessions/engine.ts';
import { NotLinked, SessionRefused } from '../../src/sessions/errors.ts';
import type { Registry } from '../../src/sessions/registry.ts';
import { isStatePush, type Push } from '../../src/sessions/transitions.ts';
import { MemoryLedger } from './memory-ledger.ts';
import { createRegistry } from './registry.ts';

/** The sessions of one gateway, and what only a cluster does with them. */
interface SessionsLab {
  readonly sessions: Registry;
  /** Has the process lose a session to another one. */
  lose(numero: string): void;
}

/** The one place that knows which class manages the sessions. */
export function startSessions(engine: Engine, onPush: (push: Push) => void): SessionsLab {
  const sessions = createRegistry(engine, new MemoryLedger(), onPush);
  return { sessions, lose: (numero) => void sessions.abandon(numero) };
}

/** How an engine answers: `refused` is its own sentence for it, `failed` any other error. */
export type Outcome = 'done' | 'refused' | 'failed';

/** An engine with one session, which answers in the order of a scheduler, with the given outcomes. */
export class ScheduledEngine implements Engine {
  readonly #scheduler: fc.Scheduler;
  readonly #outcomes: Iterator<Outcome>;
  #report: Report | undefined;

  constructor(scheduler: fc.Scheduler, outcomes: Iterator<Outcome>) {
    this.#scheduler = scheduler;
    this.#outcomes = outcomes;
  }

  restore() {}
  close() {}

  async start(numero: string, report: Report): Promise<void> {
    this.#report = report;
    try {
      await this.#answer('start', new SessionRefused('held', numero));
    } catch (error) {
      if (this.#report === report) this.#report = undefined;
      throw error;
    }
  }

  async remove(): Promise<void> {
    await this.#answer('remove', new Error('refused'));
    this.#report = undefined;
  }

  async unlink(): Promise<void> {
    await this.#answer('unlink', new NotLinked());
    this.#report?.({ type: 'disconnected', reason: 'unlinked' });
  }

  async release(): Promise<void> {
    this.#report = undefined;
  }

  async pair(): Promise<Pairing> {
    throw new Error('not used');
  }

  async send(): Promise<Delivery> {
    return 'sent';
  }

  /** Reports an event of its session; returns whether it has one. */
  report(event: EngineEvent): boolean {
    const report = this.#report;
    if (event.type === 'removed') this.#report = undefined;
    report?.(event);
    return report !== undefined;
  }

  async #answer(call: string, refusal: Error): Promise<void> {
    const outcome = this.#outcomes.next().value;
    await this.#scheduler.schedule(Promise.resolve(), `engine: ${call} ${outcome}`);
    if (outcome === 'refused') throw refusal;
    if (outcome === 'failed') throw new Error('failed');
  }
}

/** What pushes tell of a session: none says that it waits. */
interface Shown {
  readonly session: Pick<WireListItem, 'numero' | 'state' | 'qrCode'>;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Returns what pushes tell of an item of the list. */
export function shownOf(item: WireListItem): Shown {
  const { numero, state, qrCode } = item;
  const session = { numero, state, ...(qrCode !== undefined && { qrCode }) };
  return { session, details: { ...detailsOf(item) } };
}

/** What a panel shows that has applied every push. */
export class PushedList {
  readonly #sessions = new Map<string, Shown>();
  /** Sessions that were created twice, or deleted without being there. */
  readonly faults: string[] = [];

  hear(push: Push): void {
    const { numero } = push;
    const shown = this.#sessions.get(numero);
    if (push.event === 'created') {
      if (shown) this.faults.push(`${numero} is created twice`);
      this.#sessions.set(numero, shownOf(push.session));
      return;
    }
    if (!shown) {
      if (push.event === 'deleted') this.faults.push(`${numero} is deleted without being there`);
      return;
    }
    if (push.event === 'deleted') this.drop(numero);
    else if (push.event === 'details') {
      const details = Object.entries({ ...shown.details, ...push.change });
      const kept = Object.fromEntries(details.filter(([, value]) => value !== null));
      this.#sessions.set(numero, { ...shown, details: kept });
    } else {
      const state = statePushOf(push);
      const known = { session: { ...shown.session, waiting: false }, details: NO_DETAILS };
      const said = state && apply(known, state);
      if (said) this.#sessions.set(numero, { ...shownOf(said.session), details: shown.details });
    }
  }

  /** Takes a session off without a push, as the cluster does by itself. */
  drop(numero: string): void {
    this.#sessions.delete(numero);
  }

  list(): Shown[] {
    return [...this.#sessions.values()];
  }
}

function statePushOf(push: Push): PanelPush | undefined {
  if (!isStatePush(push)) return undefined;
  switch (push.event) {
    case 'qr':
      return { type: 'qr', numero: push.numero, qrCode: push.code };
    case 'change_state':
      return { type: 'change_state', numero: push.numero, state: push.state };
    default:
      return { type: push.event, numero: push.numero };
  }
}
