import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock } from 'node:test';
import type { Tell } from '../../src/server/connection.ts';
import { type Body, type CallName, createServer, type Result, type Server } from '../../src/server/server.ts';
import { explain } from '../../src/session/advice.ts';
import type { PastPage } from '../../src/session/history.ts';
import {
  type Description,
  type Details,
  type DetailsChange,
  NO_DETAILS,
  type Pairing,
  type Renaming,
  type Session,
} from '../../src/session/session.ts';
import type { PanelEvent } from '../../src/store/events.ts';
import { createStore, type Store } from '../../src/store/store.ts';
import { createTranslate } from '../../src/texts/translate.ts';
import type { WireSentLink } from '../../src/wire.ts';
import { mockTimers } from '../support/mock-timers.ts';

/** The panel's own sentences. */
export const t = createTranslate();

const open = new Set<Store>();
const { error } = console;
const { fetch } = globalThis;
const { random } = Math;

/** Closes the stores of a test: one that waits for something looks at the clock, and keeps the process alive. */
export function closeStores(): void {
  for (const store of open) store.close();
  open.clear();
}

interface TestMessage {
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

/** An item of a list, as the contract has it. */
export interface ListedSession extends Session {
  readonly details?: Details;
}

/** What the panel reads of an item of a list. */
const described = ({ details = NO_DETAILS, ...session }: ListedSession): Description => ({
  session,
  details,
});

/** What a server answers to each call. */
export interface Answers {
  list(signal: AbortSignal): Promise<readonly ListedSession[]>;
  start(numero: string, signal: AbortSignal): Promise<string>;
  delete(numero: string, signal: AbortSignal): Promise<string | undefined>;
  send(message: TestMessage, signal: AbortSignal): Promise<string | undefined>;
  rename(numero: string, naming: Renaming, signal: AbortSignal): Promise<DetailsChange>;
  history(numero: string, before: number | undefined, signal: AbortSignal): Promise<PastPage>;
  unlink(numero: string, signal: AbortSignal): Promise<unknown>;
  confirm(numero: string, signal: AbortSignal): Promise<unknown>;
  pair(numero: string, signal: AbortSignal): Promise<Pairing>;
  createLink(numero: string, signal: AbortSignal): Promise<WireSentLink>;
  revokeLink(numero: string, signal: AbortSignal): Promise<unknown>;
}

/** A store that has its list, and what speaks for its server, which has no network. {@link stopTime} closes it after the test. */
export async function joined(list: readonly ListedSession[], calls: Partial<Answers> = {}) {
  let listening: Tell | undefined;
  const answers: Answers = {
    list: async () => [...list],
    start: async (numero) => numero,
    delete: async () => {},
    send: async () => undefined,
    rename: async (_numero, naming) => naming,
    history: async () => ({ entries: [], clockOffset: 0, complete: true }),
    unlink: async () => {},
    confirm: async () => {},
    pair: async () => ({ code: 'ABCD1234', expires: Date.now() + 60_000 }),
    createLink: async () => ({
      id: 'a1',
      url: 'http://server.example/l/#token',
      expires: Date.now() + 600_000,
    }),
    revokeLink: async () => {},
    ...calls,
  };
  const server: Server = {
    call: (...asked) => answerFrom(answers, ...asked),
    connect: (tell) => {
      listening = tell;
      return () => {};
    },
  };
  const store = withActions(createStore(server, t));
  open.add(store);
  const notices: string[] = [];
  const events: PanelEvent[] = [];
  store.notices.subscribe(() => {
    const notice = store.notices.get().at(-1);
    if (notice) notices.push(`${notice.kind}: ${notice.text}`);
  });
  store.events.add((event) => events.push(event));
  await settled();
  const tell = listening;
  assert.ok(tell);
  return {
    store,
    /** What speaks for the server. */
    listener: {
      push: tell,
      extensions: (words: ReadonlySet<string>, notifies?: string) =>
        tell({ type: 'extensions', words, notifies }),
      permissions: (words: ReadonlySet<string>) => tell({ type: 'permissions', words }),
      connection: (connected: boolean) => tell({ type: 'connection', connected }),
      stalled: (ms: number) => tell({ type: 'stalled', ms }),
    },
    /** What the operator was told, as `kind: text`. */
    notices,
    /** What the host page was told. */
    events,
    session: (numero: string) => store.get(numero)?.session,
    status: (numero: string) => store.get(numero)?.status,
    /** The sentence on a card. */
    says(numero: string) {
      const record = store.get(numero);
      return record && explain({ t, may: () => true }, record);
    },
  };
}

/** What a server with these answers says to a call. */
async function answerFrom(
  answers: Answers,
  name: CallName,
  numero: string,
  body: Body,
  signal: AbortSignal,
): Promise<Result> {
  const { to = '', text = '', before, revoke } = body;
  switch (name) {
    case 'fetch':
      return { list: (await answers.list(signal)).map(described) };
    case 'up':
      return { numero: await answers.start(numero, signal) };
    case 'delete':
      return { notice: await answers.delete(numero, signal) };
    case 'send':
      return { id: await answers.send({ from: numero, to, text }, signal) };
    case 'rename':
      return { push: { type: 'details', numero, change: await answers.rename(numero, body, signal) } };
    case 'history':
      return { page: await answers.history(numero, before, signal) };
    case 'pair':
      return { push: { type: 'code', numero, pairing: await answers.pair(numero, signal) } };
    case 'link':
      if (!revoke) return { link: await answers.createLink(numero, signal) };
      await answers.revokeLink(numero, signal);
      return {};
    case 'unlink':
      await answers.unlink(numero, signal);
      return {};
    case 'passkey':
      await answers.confirm(numero, signal);
      return {};
  }
}

/** A store, with a method for each call. */
function withActions(store: Store) {
  return Object.assign(store, {
    up: (numero: string) => store.run('up', numero),
    delete: (numero: string) => store.run('delete', numero),
    send: ({ from, ...message }: TestMessage) => store.run('send', from, message),
    rename: (numero: string, naming: Renaming) => store.run('rename', numero, naming),
    unlink: (numero: string) => store.run('unlink', numero),
    confirm: (numero: string) => store.run('passkey', numero),
    pair: (numero: string) => store.run('pair', numero),
    createLink: async (numero: string) => {
      const { link, error } = await store.run('link', numero);
      return error ?? link;
    },
    revokeLink: (numero: string) => store.run('link', numero, { revoke: true }),
    async loadHistory(numero: string, before?: number) {
      const { page, error } = await store.run('history', numero, { before });
      if (!page) throw error;
      return page;
    },
  });
}

/** Calls the listener after each change of one session; returns the function that stops it. */
export function watch(store: Store, numero: string, listener: () => void): () => void {
  return store.changes.add((change) => change.numero === numero && listener());
}

/** Resolves when all that was answered at once has been dealt with. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Gives the tests of a file a clock that only they move, and a console without the failures that they cause. */
export function stopTime(): void {
  beforeEach(() => {
    mockTimers(mock, { apis: ['Date', 'setInterval', 'setTimeout'], now: Date.UTC(2026, 0, 1) });
    mock.method(performance, 'now', () => Date.now());
    mock.method(console, 'error', () => {});
  });
  afterEach(() => {
    closeStores();
    mock.reset();
    // Of two mocks of one method, a reset leaves the first.
    console.error = error;
    globalThis.fetch = fetch;
    Math.random = random;
  });
}

/** Lets time pass in small steps: within one step, a timer that a timer sets would not run in time. */
export function pass(seconds: number): void {
  for (let left = seconds * 1000; left > 0; left -= 250) mock.timers.tick(Math.min(250, left));
}

/** Calls about a numero that are under way until the test answers them, or their caller aborts them. */
export function held<Answer>() {
  const asked: string[] = [];
  const underWay = new Set<(answer: Answer | Error) => void>();
  return {
    /** The numeros that were asked for. */
    asked,
    call(numero: string, signal: AbortSignal): Promise<Answer> {
      asked.push(numero);
      return new Promise((resolve, reject) => {
        const end = (answer: Answer | Error) => {
          underWay.delete(end);
          if (answer instanceof Error) reject(answer);
          else resolve(answer);
        };
        underWay.add(end);
        signal.addEventListener('abort', () => end(new Error('Request aborted')));
      });
    },
    /** Ends the oldest call, or the one at that index. */
    async answer(answer: Answer | Error, index = 0): Promise<void> {
      const end = [...underWay].at(index);
      assert.ok(end, 'no call is under way');
      end(answer);
      await settled();
    },
  };
}

/** The calls over HTTP, whose answers the test gives. */
export function overHttp(answer: (request: Request) => Response): Answers {
  mock.method(globalThis, 'fetch', async (url: string, init?: RequestInit) => answer(new Request(url, init)));
  const { call } = createServer({
    apiBase: 'http://server.example/api',
    socketOrigin: 'http://server.example',
    socketPath: '/socket.io/',
    credentials: 'same-origin',
    token: () => undefined,
    t,
  });
  const given = <Said>(said: Said | undefined): Said => {
    assert.ok(said !== undefined);
    return said;
  };
  return {
    async list(signal) {
      const { list } = await call('fetch', '', {}, signal);
      return given(list).map(({ session, details }) => ({ ...session, details }));
    },
    start: async (numero, signal) => (await call('up', numero, {}, signal)).numero ?? numero,
    delete: async (numero, signal) => (await call('delete', numero, {}, signal)).notice,
    send: async ({ from, ...message }, signal) => (await call('send', from, message, signal)).id,
    async rename(numero, naming, signal) {
      const { push } = await call('rename', numero, naming, signal);
      return push?.type === 'details' ? push.change : assert.fail();
    },
    history: async (numero, before, signal) =>
      given((await call('history', numero, { before }, signal)).page),
    unlink: (numero, signal) => call('unlink', numero, {}, signal),
    confirm: (numero, signal) => call('passkey', numero, {}, signal),
    async pair(numero, signal) {
      const { push } = await call('pair', numero, {}, signal);
      return (push?.type === 'code' && push.pairing) || assert.fail();
    },
    createLink: async (numero, signal) => given((await call('link', numero, {}, signal)).link),
    revokeLink: (numero, signal) => call('link', numero, { revoke: true }, signal),
  };
}
