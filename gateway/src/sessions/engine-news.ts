import { StoreError, type StoreFailure, storeFailure } from '../ledger/store-error.ts';
import type { Delivery, EngineEvent } from './engine.ts';
import { NotLinked, StartRefused } from './errors.ts';

/** The outcome of a start, a removal or an unlinking: `done` of a start means that it has begun. */
export type Outcome = 'done' | 'refused' | StoreFailure | 'failed';

/** What is asked of an engine that changes a session. */
export type EngineRequest = 'start' | 'removal' | 'unlinking';

/** What happens at an engine: the events that it reports, and what sessions ask of it. */
export type EngineNews =
  | EngineEvent
  | { type: 'request'; request: EngineRequest; outcome: Outcome }
  /** `milliseconds` is the time from the message to its outcome. */
  | { type: 'message'; delivery: Delivery; milliseconds: number }
  | { type: 'probe'; isAnswered: boolean }
  /** Another gateway takes the session over. */
  | { type: 'released' };

export type EngineObserver = (numero: string, news: EngineNews) => void;

/** Settles as a request to the engine does, and observes its outcome. */
export async function observed(
  observe: EngineObserver,
  numero: string,
  request: EngineRequest,
  done: Promise<void>,
): Promise<void> {
  const outcome = await done.then(() => 'done' as const, outcomeOf);
  observe(numero, { type: 'request', request, outcome });
  await done;
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof StartRefused || error instanceof NotLinked) return 'refused';
  return error instanceof StoreError ? storeFailure(error) : 'failed';
}
