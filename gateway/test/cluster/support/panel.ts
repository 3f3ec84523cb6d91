import { createParser } from '../../../../src/server/parse.ts';
import { createSessionMap } from '../../../../src/session/session-map.ts';
import { createTranslate } from '../../../../src/texts/translate.ts';
import type { WireSession } from '../../../../src/wire.ts';
import type { Scope } from '../../../../test/support/scope.ts';
import { Listener, listOf } from '../../support/gateway.ts';

const parser = createParser(createTranslate());

/** A panel without a screen: it fetches the list whenever it connects, and follows the pushes from then on. */
export class Panel {
  readonly #url: string;
  readonly #sessions = createSessionMap();
  #loaded: Promise<void> | undefined;
  /** How often it has fetched the list. */
  loads = 0;

  private constructor(url: string) {
    this.#url = url;
  }

  static async open(scope: Scope, url: string): Promise<Panel> {
    const panel = new Panel(url);
    scope.after(() => panel.#sessions.stop());
    const { socket } = await Listener.connect(scope, { url });
    socket.onAny((name: string, ...args: unknown[]) => {
      const push = parser.push(name, args);
      if (push) panel.#sessions.dispatch({ ...push, at: Date.now() });
    });
    socket.on('connect', () => {
      panel.#loaded = panel.load();
    });
    await panel.load();
    return panel;
  }

  /** Fetches the list, as a panel also does from time to time: only the list tells it of sessions that others add. */
  async load(): Promise<void> {
    const [list, events] = await this.#sessions.withEventsDuring(listOf({ url: this.#url }));
    this.#sessions.replace(
      list.map((session) => ({ session, details: {} })),
      events,
    );
    this.loads += 1;
  }

  /** What it shows. */
  async sessions(): Promise<readonly WireSession[]> {
    await this.#loaded;
    return [...this.#sessions.records].map(({ session }) => session);
  }
}
