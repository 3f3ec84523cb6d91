import { io, type Socket } from 'socket.io-client';
import type { Tell } from '../../../src/server/connection.ts';
import { createParser } from '../../../src/server/parse.ts';
import { createServer, type Server } from '../../../src/server/server.ts';
import type { Session } from '../../../src/session/session.ts';
import { createStore, type Store } from '../../../src/store/store.ts';
import { createTranslate } from '../../../src/texts/translate.ts';

const t = createTranslate();
const parser = createParser(t);

/** A headless panel: its store and its calls, with a connection that works in Node. */
export class Panel {
  readonly #store: Store;
  #socket: Socket | undefined;

  constructor(url: string, transports: string[]) {
    const connect = (tell: Tell) => {
      const socket = io(url, { forceNew: true, transports });
      this.#socket = socket;
      socket.on('connect', () => tell({ type: 'connection', connected: true }));
      socket.on('disconnect', () => tell({ type: 'connection', connected: false }));
      socket.onAny((name: string, ...args: unknown[]) => {
        const push = parser.push(name, args);
        if (push) tell(push);
      });
      return () => socket.disconnect();
    };
    const address = {
      apiBase: `${url}/api`,
      socketOrigin: url,
      socketPath: '/socket.io/',
      credentials: 'same-origin',
      token: () => undefined,
      t,
    } as const;
    const server = createServer(address);
    const call: Server['call'] = async (name, numero, body, signal) => {
      if (name !== 'fetch') return server.call(name, numero, body, signal);
      // Like its own, but on a connection that does not outlast the call.
      const headers = { Connection: 'close' };
      const answer = await fetch(`${url}/api/session/sessions`, { signal, headers });
      return { list: parser.list({ body: await answer.json(), url, clockOffset: 0 }) };
    };
    this.#store = createStore({ call, connect }, t);
  }

  close(): void {
    this.#store.close();
  }

  /** Drops its connection and makes another one. */
  cut(): void {
    this.#socket?.io.engine.close();
  }

  /**
   * Returns where it disagrees with the list, one sentence each. The contract has no push for a session that others start: a
   * waiting one may be shown as not waiting.
   */
  disagreements(list: readonly Session[]): string[] {
    const { list: loaded, connected } = this.#store.snapshot.get();
    const numeros = this.#store.numeros.get();
    if (loaded !== 'ready' || !connected) return ['it has no list, or no connection'];
    const listed = list.map(({ numero }) => numero);
    if (numeros.join() !== listed.join()) return [`it lists ${numeros} for ${listed}`];
    return list.flatMap((expected) => {
      const shown = this.#store.get(expected.numero)?.session;
      const agrees =
        shown?.state === expected.state &&
        shown.qrCode === expected.qrCode &&
        (expected.waiting || !shown.waiting);
      return agrees ? [] : [`it shows ${JSON.stringify(shown)} for ${JSON.stringify(expected)}`];
    });
  }
}
