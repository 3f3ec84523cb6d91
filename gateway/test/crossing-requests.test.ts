import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { STATES } from '../../src/wire.ts';
import type { EngineEvent } from '../src/sessions/engine.ts';
import { type Outcome, PushedList, ScheduledEngine, shownOf, startSessions } from './support/sessions-lab.ts';

const NUMERO = '5215550001111';

const EVENTS: readonly EngineEvent[] = [
  { type: 'qr', code: '2@a' },
  { type: 'ready' },
  { type: 'disconnected' },
  { type: 'name', name: 'Ana' },
  { type: 'removed' },
];

/** What may happen next. */
type Step = 'start' | 'delete' | 'unlink' | 'lose' | EngineEvent;

const steps = fc.array(fc.constantFrom<Step>('start', 'start', 'delete', 'unlink', 'lose', ...EVENTS), {
  minLength: 2,
  maxLength: 10,
});
const outcomes = fc.infiniteStream(fc.constantFrom<Outcome>('done', 'done', 'refused', 'failed'));

/** A start or a deletion that somebody asked for. */
interface Request {
  readonly at: number;
  isDone?: boolean;
  isPending: boolean;
}

/** The requests for one session, and what the list has to be after them. */
class Model {
  readonly starts: Request[] = [];
  readonly #deletions: Request[] = [];
  /** When the session was last removed without a request. */
  #removed = -1;
  #now = 0;

  start(call: Promise<unknown>): void {
    this.#add(this.starts, call);
  }

  delete(call: Promise<unknown>): void {
    this.#add(this.#deletions, call);
  }

  /** The session was lost to another process. */
  lost(): void {
    this.#removed = this.#now++;
  }

  /** The engine has told that the session is removed: perhaps because of a deletion under way. */
  removed(): void {
    this.#removed = this.#deletions.find(({ isPending }) => isPending)?.at ?? this.#now++;
  }

  /** Whether the session has to be on the list; undefined if it may or may not be. */
  get isListed(): boolean | undefined {
    const lastStart = this.starts.at(-1);
    const deleted = this.#deletions.findLast(({ isDone }) => isDone)?.at ?? -1;
    if (!lastStart || lastStart.at < Math.max(deleted, this.#removed)) return false;
    const asked = this.#deletions.at(-1)?.at ?? -1;
    return lastStart.isDone && lastStart.at > Math.max(asked, this.#removed) ? true : undefined;
  }

  #add(requests: Request[], call: Promise<unknown>): void {
    const request: Request = { at: this.#now++, isPending: true };
    requests.push(request);
    call.then(
      () => Object.assign(request, { isDone: true, isPending: false }),
      () => Object.assign(request, { isDone: false, isPending: false }),
    );
  }
}

/** Runs everything that does not wait for the scheduler. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('requests that cross in any order leave the list that their order says, and panels show it', async () => {
  const property = fc.asyncProperty(fc.scheduler(), steps, outcomes, async (scheduler, todo, answers) => {
    const engine = new ScheduledEngine(scheduler, answers[Symbol.iterator]());
    const panel = new PushedList();
    const { sessions, lose } = startSessions(engine, (push) => panel.hear(push));
    const model = new Model();
    const run = (step: Step) => {
      if (step === 'start') model.start(sessions.start(NUMERO));
      else if (step === 'delete') model.delete(sessions.delete(NUMERO));
      else if (step === 'unlink') sessions.unlink(NUMERO).catch(() => {});
      else if (step === 'lose') {
        // Only what this process owns can be lost.
        if (!sessions.find(NUMERO)) return;
        lose(NUMERO);
        panel.drop(NUMERO);
        model.lost();
      } else if (engine.report(step) && step.type === 'removed') model.removed();
    };
    scheduler.scheduleSequence(
      todo.map((step) => ({
        label: typeof step === 'string' ? step : `report: ${step.type}`,
        builder: async () => run(step),
      })),
    );
    while (scheduler.count() > 0) {
      await scheduler.waitNext(1);
      await turn();
      const list = sessions.list();
      assert.deepEqual(panel.faults, []);
      assert.deepEqual(panel.list(), list.map(shownOf));
      const { isListed } = model;
      if (isListed !== undefined) assert.equal(list.length > 0, isListed, 'whether it is listed');
    }
    assert.ok(!sessions.list().some(({ state }) => state === STATES.closing), 'a deletion has no end');
    await sessions.close();
  });
  await fc.assert(property, { numRuns: 300 });
});
