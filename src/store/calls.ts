import { factsOf, isUnacceptable, RequestError, reasonOf, toError } from '../server/errors.ts';
import { type Body, CALLS, type Call, type CallName, type Result } from '../server/server.ts';
import { nameOf } from '../session/record.ts';
import type { TimedEvent } from '../session/session.ts';
import type { Condition, Failure } from '../session/states.ts';
import * as texts from '../texts/sentences.ts';
import { STATES } from '../wire.ts';
import type { Shared } from './shared.ts';

/** Milliseconds after which a call of an extension is given up: a code to type may take a start of the session. */
const EXTENSION_TIMEOUT_MS = 60_000;

/** The reason of an abort after which the request is sent again. */
const RENEWED = Symbol('renewed');

/** What becomes of a session as a call is sent, while its answer is late, and as it fails. */
interface Course {
  readonly sent: 'startAsked' | 'closing';
  readonly late: Condition;
  readonly failed: Failure['what'];
}

const COURSES: Partial<Record<CallName, Course>> = {
  up: { sent: 'startAsked', late: 'unanswered', failed: 'notStarted' },
  delete: { sent: 'closing', late: 'notDeleting', failed: 'notDeleted' },
};

/** Those whose answer only their caller shows: each is made, however many are under way. */
const ASKED_ANEW: ReadonlySet<CallName> = new Set(['fetch', 'link', 'history']);

/** How a call ended: the numero of its session, what the answer has for the caller, or else what failed. */
export interface Outcome extends Pick<Result, 'list' | 'link' | 'page'> {
  readonly numero: string;
  /** What happened until the list came. */
  readonly pushed?: readonly TimedEvent[];
  readonly error?: Error;
}

interface UnderWay {
  readonly name: CallName;
  readonly numero: string;
  readonly body: Body;
  readonly replaceKey?: string | undefined;
  outcome?: Promise<Outcome>;
  /** Of its request, once that is sent. */
  controller?: AbortController;
  /** When it was sent, in milliseconds of `performance.now()`: nobody can set that clock back. */
  sentAt?: number;
}

export type Calls = ReturnType<typeof createCalls>;

/**
 * Makes the calls, and knows which are under way.
 *
 * @param listsShown - how many lists have been shown
 */
export function createCalls(shared: Shared, listsShown: () => number) {
  const { server, t, sessions, extensions, notify, fail } = shared;
  /** The oldest first. */
  const underWay = new Set<UnderWay>();

  const last = (name: CallName, numero: string) =>
    [...underWay].findLast((call) => call.name === name && call.numero === numero);

  const abort = ({ controller }: UnderWay, message = t(texts.aborted)) =>
    controller?.abort(new RequestError(message, { kind: 'aborted' }));

  function isLate({ name, numero }: UnderWay): boolean {
    const course = COURSES[name];
    return course !== undefined && course.late === sessions.all.get(numero)?.status.condition;
  }

  function begin({ name, numero }: UnderWay): void {
    const course = COURSES[name];
    if (course) sessions.dispatch({ type: course.sent, numero });
  }

  /**
   * Sends a call, and sends it again each time it is renewed. When it is aborted or its time is over, the promise rejects,
   * whatever the request waits for: a page's token function may never answer.
   *
   * @throws {RequestError} where the server no longer announces what something that is still open needs.
   */
  async function send(call: UnderWay, body = call.body): Promise<Result> {
    const { name, numero } = call;
    const { needs }: Call = CALLS[name](body, numero);
    if (needs && !extensions.has(needs)) throw new RequestError(t(texts.notOffered));
    begin(call);
    for (;;) {
      // One signal for all: WebKitGTK 2.50 drops that of AbortSignal.any after some seconds, though a fetch uses it.
      const controller = new AbortController();
      const { signal } = controller;
      const aborted = new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
      Object.assign(call, { controller, sentAt: performance.now() });
      const giveUp = () => abort(call, t(texts.timedOut, EXTENSION_TIMEOUT_MS));
      const timer = needs && setTimeout(giveUp, EXTENSION_TIMEOUT_MS);
      try {
        return await Promise.race([aborted, server.call(name, numero, body, signal)]);
      } catch (error) {
        if (error !== RENEWED) throw error;
      } finally {
        clearTimeout(timer);
      }
    }
  }

  async function start(call: UnderWay): Promise<Outcome> {
    const { numero, replaceKey } = call;
    // A session whose deletion is under way is started when that has ended.
    await last('delete', numero)?.outcome;
    const before = sessions.all.get(numero)?.report.session;
    const listsBefore = listsShown();
    const [{ numero: started = numero }, pushed] = await sessions.withEventsDuring(send(call));
    sessions.dispatch({ type: 'startAnswered', numero });
    const all = pushed.filter((event) => event.numero === started);
    const events = all.slice(all.findLastIndex(({ type }) => type === 'deleted') + 1);
    const isGone = events.length < all.length && !events.some(({ type }) => type === 'created');
    // A deletion that came after the start is newer, and so is a list that has news of the session. With presence it may be
    // the late push of the deletion before: then that of the creation follows.
    if (last('delete', started) || (isGone && !extensions.has('presence'))) return { numero: started };
    // Where the server answers another numero, it is not known what that session was.
    const wasUp = started !== numero || (before && before.state !== STATES.disconnected);
    const reported = sessions.all.get(started)?.report.session;
    if (!isGone && (listsShown() === listsBefore || !reported || reported === before)) {
      sessions.dispatch({ type: 'started', numero: started, at: Date.now() });
      const end = events.findLastIndex(({ type }) => type === 'disconnected' || type === 'qr_timeout');
      // The end of a session that was up belongs to the life before, with all that came before it.
      for (const event of events.slice(wasUp ? end + 1 : 0)) sessions.dispatch(event);
      sessions.updateNumeros();
    } else sessions.dispatch({ type: 'startAnswered', numero: started });
    notify({ kind: 'positive', text: t(texts.started, started), replaceKey, numero: started });
    return { numero: started };
  }

  async function remove(call: UnderWay): Promise<Outcome> {
    const { numero } = call;
    // A session that has gone in the meantime is deleted.
    const record = sessions.all.get(numero);
    const { notice = t(texts.deleted, numero) } = record ? await send(call) : {};
    if (record) sessions.dispatch({ type: 'deleted', numero, at: Date.now() });
    sessions.updateNumeros();
    notify({ kind: 'positive', text: notice, numero, name: nameOf(record) });
    return { numero };
  }

  async function sendMessage(call: UnderWay): Promise<Outcome> {
    const { numero } = call;
    const { to: typed = '', text } = call.body;
    const to = typed.replace(/[\s().\p{Dash}\p{Cf}]/gu, '').replace(/^\+/, '');
    if (!/^\d+$/.test(to) || !Number.isSafeInteger(Number(to)))
      throw new RequestError(t(texts.invalidNumber), { kind: 'number' });
    const [{ id }, pushed] = await sessions.withEventsDuring(send(call, { to, text }));
    notify({ kind: 'positive', text: t(texts.sent, to), numero });
    const isFollowed = id && extensions.has('ack');
    const message = isFollowed ? ({ id, status: 'accepted', at: Date.now() } as const) : undefined;
    sessions.dispatch({ type: 'sent', numero, to, message });
    if (message) for (const event of pushed) if (event.type === 'ack') sessions.dispatch(event);
    return { numero };
  }

  /** Dispatches what the answer says, and then the pushes of its type that came meanwhile, which are newer. */
  async function ask(call: UnderWay): Promise<Outcome> {
    const { numero } = call;
    const [{ push, ...result }, pushed] = await sessions.withEventsDuring(send(call));
    if (push) {
      for (const event of [{ ...push, at: Date.now() }, ...pushed])
        if (event.type === push.type && event.numero === numero) sessions.dispatch(event);
      sessions.updateNumeros();
    }
    return { numero, ...result, ...(result.list && { pushed }) };
  }

  const WAYS: Partial<Record<CallName, typeof ask>> = { up: start, delete: remove, send: sendMessage };

  /** Never rejects. A failure is reported, but for those of the list and of a history: who asks for them decides on that. */
  async function perform(call: UnderWay, previous: Promise<Outcome> | undefined): Promise<Outcome> {
    const { name, numero, replaceKey } = call;
    if (previous) await previous;
    try {
      return await (WAYS[name] ?? ask)(call);
    } catch (cause) {
      const error = toError(cause);
      const message = reasonOf(t, error);
      const course = COURSES[name];
      if (name === 'delete') sessions.dispatch({ type: 'reopened', numero });
      if (course) sessions.dispatch({ type: 'failed', numero, failure: { what: course.failed, message } });
      if (name === 'send') {
        // 409: it may not be sent now, which says nothing of whether the session works.
        const { status } = factsOf(error);
        const isFailure = !!status && status !== 409 && !isUnacceptable(status);
        sessions.dispatch({ type: 'notSent', numero, error: message, isFailure });
      }
      if (name !== 'fetch' && name !== 'history') fail(error, name, { replaceKey, numero });
      return { numero, error };
    } finally {
      underWay.delete(call);
    }
  }

  return {
    /**
     * Makes a call about a session once the last one of its name has ended; or returns the outcome of that one where it sends
     * the same, and sends it again where its answer is late.
     *
     * @param replaceKey - of its notices, where it is one of many: each replaces the one before
     */
    run(name: CallName, numero: string, body: Body = {}, replaceKey?: string): Promise<Outcome> {
      const previous = ASKED_ANEW.has(name) ? undefined : last(name, numero);
      if (previous?.outcome && JSON.stringify(body) === JSON.stringify(previous.body)) {
        if (isLate(previous)) {
          previous.controller?.abort(RENEWED);
          begin(previous);
        }
        return previous.outcome;
      }
      const call: UnderWay = { name, numero, body, replaceKey };
      underWay.add(call);
      call.outcome = perform(call, previous?.outcome);
      return call.outcome;
    },

    isDeleting: (numero: string): boolean => last('delete', numero) !== undefined,

    /** Makes the loads of the list fail, but for the latest ones. */
    abortLoads(kept = 0): void {
      const loads = [...underWay].filter(({ name }) => name === 'fetch').toReversed();
      for (const call of loads.slice(kept)) abort(call);
    },

    /** Makes the calls fail that have been waiting for this many milliseconds or longer. */
    abandon(ms: number): void {
      const latest = performance.now() - ms;
      for (const call of underWay) if ((call.sentAt ?? Infinity) <= latest) abort(call);
    },
  };
}
