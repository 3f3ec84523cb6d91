import { unlessNew } from '../keep-if-equal.ts';
import { Rhythm } from './code-lifetime.ts';
import { Tally } from './counts.ts';
import { advance, type Cause, type Course, type Failure } from './course.ts';
import { Deadlines } from './deadlines.ts';
import { type Entry, History } from './history.ts';
import type { Session } from './session.ts';
import { type Situation, situationOf } from './status.ts';

/** Something that happened to a session, with how it looked before. */
export interface Change {
  readonly type: Cause['type'];
  readonly numero: string;
  readonly session: Session | undefined;
  readonly before: Session | undefined;
  /** In milliseconds since 1970: earlier than now where it is told once more. */
  readonly at: number;
}

/** What is known of a session that is listed. */
export interface Known {
  /** As it is to be shown now. */
  readonly session: Session;
  /** What it asks of the operator now. */
  readonly situation: Situation;
}

interface Followed extends Known {
  readonly course: Course;
}

/** No session has this numero. */
const CONNECTION = '';

/**
 * What the panel knows about sessions beyond the server's words: what each one asks of the operator, also by the
 * time that has gone by, and what has happened to it.
 */
export class Attention {
  readonly tally = new Tally();
  readonly #woken: (numero: string, before: Situation) => void;
  readonly #followed = new Map<string, Followed>();
  readonly #history = new History();
  readonly #rhythm = new Rhythm();
  readonly #deadlines = new Deadlines((numero) => this.#look(numero));
  #disturbances = 0;

  /** @param woken is told of a session that asks for something else because time has gone by. */
  constructor(woken: (numero: string, before: Situation) => void) {
    this.#woken = woken;
  }

  /** The same object until something happens to it. */
  known(numero: string): Known | undefined {
    return this.#followed.get(numero);
  }

  /** The same object until it says something else. */
  situation(numero: string): Situation | undefined {
    return this.#followed.get(numero)?.situation;
  }

  /** The last fifty things that happened to a session, the oldest first. The same array until there is another. */
  history(numero: string): readonly Entry[] {
    return this.#history.of(numero);
  }

  /** The codes that are up end as they should not, or the next one may never be heard of: nothing is learnt from it. */
  disturbed(): void {
    this.#disturbances += 1;
  }

  happened({ type, numero, session, before, at }: Change): void {
    if (!session) {
      this.#follow(numero, undefined);
      this.#history.forget(numero);
      return;
    }
    const step = { type, session, before, at, disturbances: this.#disturbances };
    this.#follow(numero, session, advance(this.#followed.get(numero)?.course, step, this.#rhythm));
    this.#history.add(numero, { at: Date.now(), what: type, state: session.state });
  }

  /** What happened to the live connection, which all sessions share: it is written down once, and not for each. */
  connectionHistory(): readonly Entry[] {
    return this.#history.of(CONNECTION);
  }

  /** The live connection was lost, or is back; the first one is nobody's news. */
  connection(connected: boolean): void {
    if (connected && this.connectionHistory().length === 0) return;
    this.#history.add(CONNECTION, { at: Date.now(), what: connected ? 'back' : 'lost', state: '' });
  }

  /** A start was asked for: until it is answered, or something else happens to the session, it may be late. */
  asked(numero: string): void {
    this.#amend(numero, (course) => ({ ...course, asked: Date.now() }));
  }

  answered(numero: string): void {
    this.#amend(numero, ({ asked: _, ...course }) => course);
  }

  /** An action of the operator failed. It is known until something else happens to the session. */
  failed(numero: string, failure: Failure): void {
    this.#amend(numero, (course) => ({ ...course, failure }));
    this.note(numero, failure.action === 'up' ? 'notStarted' : 'notDeleted', failure.error.message);
  }

  /** An action succeeded: that it had failed before is over. */
  succeeded(numero: string): void {
    this.#amend(numero, ({ failure: _, ...course }) => course);
  }

  /** Writes down what has no part in how the session stands. */
  note(numero: string, what: Entry['what'], detail: string): void {
    const state = this.#followed.get(numero)?.session.state;
    if (state !== undefined) this.#history.add(numero, { at: Date.now(), what, state, detail });
  }

  close(): void {
    this.#deadlines.close();
  }

  #look(numero: string): void {
    const followed = this.#followed.get(numero);
    if (!followed) return;
    this.#follow(numero, followed.session, followed.course);
    if (this.situation(numero) !== followed.situation) this.#woken(numero, followed.situation);
  }

  /** Follows a session that is listed on a course that has changed beside what happened to it. */
  #amend(numero: string, change: (course: Course) => Course): void {
    const followed = this.#followed.get(numero);
    if (followed) this.#follow(numero, followed.session, change(followed.course));
  }

  #follow(numero: string, session: Session | undefined, course?: Course): void {
    const before = this.situation(numero);
    if (!session || !course) this.#followed.delete(numero);
    else {
      const situation = unlessNew(before, situationOf(session, course, this.#rhythm, Date.now()));
      this.#followed.set(numero, { session, course, situation });
    }
    const situation = this.situation(numero);
    this.#deadlines.set(numero, situation?.changesAt);
    this.tally.change(before, situation);
  }
}
