import type { Action } from '../events.ts';
import { factsOf, isUnacceptable, RequestError } from '../server/http.ts';
import type { SentLink } from '../server/parse.ts';
import type { TestMessage } from '../server/server.ts';
import type { PastPage } from '../session/history.ts';
import { nameOf } from '../session/record.ts';
import type { Push, Renaming } from '../session/session.ts';
import * as texts from '../texts/sentences.ts';
import { type Extension, STATES } from '../wire.ts';
import type { Outcome } from './calls.ts';
import type { List } from './list.ts';
import type { Shared } from './shared.ts';

/** Milliseconds after which a call of an extension is given up: a code to type may take a start of the session. */
const EXTENSION_TIMEOUT_MS = 60_000;

/** The actions of the operator: one of a kind at a time for each session, and the same one only once. A failure is reported. */
export function createActions(
  { server, t, calls, sessions, extensions, update, notify, fail }: Shared,
  list: Pick<List, 'version'>,
) {
  /** Runs an action, which may return another numero. The body is what it sends, where that may differ. */
  function once(
    name: Exclude<Action, 'fetch' | 'render'>,
    numero: string,
    action: () => Promise<unknown>,
    replaceKey?: string,
    body?: object,
  ): Promise<Outcome> {
    return calls.once(`${name} ${numero}`, JSON.stringify({ ...body }), async () => {
      try {
        const answer = await action();
        return { numero: typeof answer === 'string' ? answer : numero };
      } catch (cause) {
        const error = fail(cause, name, replaceKey, numero);
        const { message } = error;
        if (name === 'send') {
          // 409: it may not be sent now, which says nothing of whether the session works.
          const { status } = factsOf(error);
          const isFailure = !!status && status !== 409 && !isUnacceptable(status);
          sessions.dispatch({ type: 'notSent', numero, error: message, isFailure });
        }
        if (name === 'up' || name === 'delete') {
          const what = name === 'up' ? 'notStarted' : 'notDeleted';
          sessions.dispatch({ type: 'failed', numero, failure: { what, message } });
        }
        return { error };
      }
    });
  }

  /** @throws {RequestError} where the server no longer announces what something that is still open needs. */
  async function ask<Answer>(
    extension: Extension,
    numero: string,
    send: (numero: string, signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    if (!extensions.has(extension)) throw new RequestError(t(texts.notOffered));
    return calls.send(`${extension} ${numero}`, (signal) => send(numero, signal), EXTENSION_TIMEOUT_MS);
  }

  /** Dispatches the answer to a call as a push, and then the pushes of its type that came meanwhile, which are newer. */
  async function take<Answer>(call: Promise<Answer>, toPush: (answer: Answer) => Push): Promise<void> {
    const [answer, entries] = await sessions.withEventsDuring(call);
    const push = toPush(answer);
    for (const { event, at } of [{ event: push, at: Date.now() }, ...entries])
      if (event.type === push.type && event.numero === push.numero) sessions.dispatch({ ...event, at });
    update({ numeros: sessions.numeros });
  }

  async function start(numero: string, replaceKey: string | undefined): Promise<string> {
    await calls.get(`delete ${numero}`);
    const before = sessions.all.get(numero)?.report.session;
    const listBefore = list.version();
    sessions.dispatch({ type: 'startAsked', numero });
    const [started, entries] = await sessions
      .withEventsDuring(calls.send(`up ${numero}`, (signal) => server.start(numero, signal)))
      .finally(() => sessions.dispatch({ type: 'startAnswered', numero }));
    const all = entries.flatMap(({ event, at }) => (event.numero === started ? { ...event, at } : []));
    const events = all.slice(all.findLastIndex(({ type }) => type === 'deleted') + 1);
    const isGone = events.length < all.length && !events.some(({ type }) => type === 'created');
    // A deletion that came after the start is newer, and so is a list that has news of the session. With presence it may be
    // the late push of the deletion before: then that of the creation follows.
    if (calls.has(`delete ${started}`) || (isGone && !extensions.has('presence'))) return started;
    // Where the server answers another numero, it is not known what that session was.
    const wasUp = started !== numero || (before !== undefined && before.state !== STATES.disconnected);
    const reported = sessions.all.get(started)?.report.session;
    if (!isGone && (list.version() === listBefore || !reported || reported === before)) {
      sessions.dispatch({ type: 'started', numero: started, at: Date.now() });
      const end = events.findLastIndex(({ type }) => type === 'disconnected' || type === 'qr_timeout');
      // The end of a session that was up belongs to the life before, with all that came before it.
      for (const event of events.slice(wasUp ? end + 1 : 0)) sessions.dispatch(event);
      update({ numeros: sessions.numeros });
    } else sessions.dispatch({ type: 'startAnswered', numero: started });
    notify('positive', t(texts.started, started), replaceKey, { numero: started });
    return started;
  }

  /** Shows a session as closing until the server has deleted it; returns the server's notice on that. */
  async function remove(numero: string): Promise<string | undefined> {
    sessions.dispatch({ type: 'closing', numero });
    try {
      const notice = await calls.send(`delete ${numero}`, (signal) => server.delete(numero, signal));
      sessions.dispatch({ type: 'deleted', numero, at: Date.now() });
      update({ numeros: sessions.numeros });
      return notice;
    } catch (error) {
      sessions.dispatch({ type: 'reopened', numero });
      throw error;
    }
  }

  /** Whether an answer about a session is late: the operator who asks again has the call sent again. */
  const isLate = (numero: string, condition: 'unanswered' | 'notDeleting') =>
    sessions.all.get(numero)?.status.condition === condition;

  return {
    /**
     * Adds a session or restarts it. A session whose deletion is under way is started when that has ended.
     * @param replaceKey - of its notices, where it is one of many: each replaces the one before
     */
    up(numero: string, replaceKey?: string): Promise<Outcome> {
      if (isLate(numero, 'unanswered') && calls.renew(`up ${numero}`))
        sessions.dispatch({ type: 'startAsked', numero });
      return once('up', numero, () => start(numero, replaceKey), replaceKey);
    },

    /** Deletes a session, which shows 'CERRANDO SESIÓN...' until the server has answered. */
    delete(numero: string): Promise<Outcome> {
      if (isLate(numero, 'notDeleting') && calls.renew(`delete ${numero}`))
        sessions.dispatch({ type: 'closing', numero });
      return once('delete', numero, async () => {
        // A session that has gone in the meantime is deleted.
        const record = sessions.all.get(numero);
        const notice = record && (await remove(numero));
        notify('positive', notice ?? t(texts.deleted, numero), undefined, { numero, name: nameOf(record) });
      });
    },

    /** Drops spaces, hyphens, parentheses, dots, a leading + and invisible marks of the number. */
    send(typed: TestMessage): Promise<Outcome> {
      const { from: numero, text } = typed;
      const send = async () => {
        const to = typed.to.replace(/[\s().\p{Dash}\p{Cf}]/gu, '').replace(/^\+/, '');
        if (!/^\d+$/.test(to) || !Number.isSafeInteger(Number(to)))
          throw new RequestError(t(texts.invalidNumber), { kind: 'number' });
        const [id, entries] = await sessions.withEventsDuring(
          calls.send(`send ${numero}`, (signal) => server.send({ from: numero, to, text }, signal)),
        );
        notify('positive', t(texts.sent, to), undefined, { numero });
        const isFollowed = id && extensions.has('ack');
        const message = isFollowed ? ({ id, status: 'accepted', at: Date.now() } as const) : undefined;
        sessions.dispatch({ type: 'sent', numero, to, message });
        if (!message) return;
        for (const { event, at } of entries) if (event.type === 'ack') sessions.dispatch({ ...event, at });
      };
      return once('send', numero, send, undefined, typed);
    },

    /** Changes names and proxy of a session: an empty text removes one, and one that is left out stays. */
    rename: (numero: string, naming: Renaming, replaceKey?: string): Promise<Outcome> =>
      once(
        'rename',
        numero,
        () =>
          take(
            ask('proxy' in naming ? 'proxy' : 'label', numero, (_, signal) =>
              server.rename(numero, naming, signal),
            ),
            (change) => ({ type: 'details', numero, change }),
          ),
        replaceKey,
        naming,
      ),

    unlink: (numero: string): Promise<Outcome> =>
      once('unlink', numero, () => ask('unlink', numero, server.unlink)),

    /** Says that the code of a passkey is the same on the phone. */
    confirm: (numero: string): Promise<Outcome> =>
      once('passkey', numero, () => ask('passkey', numero, server.confirm)),

    /** Requests a code to type on the phone: see `SessionRecord.pairing`. */
    pair: (numero: string): Promise<Outcome> =>
      once('pair', numero, () =>
        take(ask('pairing', numero, server.pair), (pairing) => ({ type: 'code', numero, pairing })),
      ),

    /** Creates a link for the person who holds the phone. A failure is reported, and returned. */
    createLink: (numero: string, replaceKey?: string): Promise<SentLink | Error> =>
      ask('link', numero, server.createLink).catch((cause) => fail(cause, 'link', replaceKey, numero)),

    revokeLink: (numero: string): Promise<Outcome> =>
      once('link', numero, () => ask('link', numero, server.revokeLink)),

    /** Loads the newest page, or the one before a moment of the server's clock. A failure is not reported. */
    loadHistory: (numero: string, before?: number): Promise<PastPage> =>
      ask('history', numero, (_, signal) => server.history(numero, before, signal)),

    giveUpStart(numero: string): void {
      if (isLate(numero, 'unanswered')) calls.abort(`up ${numero}`);
    },

    trustCode: (numero: string): void => sessions.dispatch({ type: 'codeTrusted', numero }),
  };
}
