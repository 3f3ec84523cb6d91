import type { Bench, Visit } from '../../../../test/bench/browser.ts';
import { servePages } from '../../../../test/bench/pages.ts';
import { until } from '../../../../test/support/until.ts';
import { CountingProxy, type Counts, type Purpose } from './counting-proxy.ts';
import { StillGateway } from './still-gateway.ts';

/** How long anything may take on a busy machine, in milliseconds. */
const PATIENCE = 60_000;
/**
 * When nothing has passed for so long, in milliseconds, nothing more follows: panels delay lists, and the gateway delays the
 * stability of sessions, by two seconds.
 */
const QUIET = 3_000;

/** A line of a table. */
export interface Row extends Counts {
  readonly what: string;
}

/** An open panel, its gateway, and the proxy between them. */
export class Scene {
  readonly visit: Visit;
  readonly gateway: StillGateway;
  readonly #proxy: CountingProxy;

  private constructor(visit: Visit, gateway: StillGateway, proxy: CountingProxy) {
    this.visit = visit;
    this.gateway = gateway;
    this.#proxy = proxy;
  }

  /** Opens a panel of so many sessions. What passes until `use` begins is counted. */
  static async play(
    bench: Bench,
    sessions: number,
    use: (scene: Scene) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    const gateway = new StillGateway(sessions);
    await gateway.start(({ app }) => servePages(app));
    const proxy = new CountingProxy(gateway.port);
    try {
      const play = async (visit: Visit) => {
        const scene = new Scene(visit, gateway, proxy);
        await scene.connected();
        return use(scene);
      };
      return await bench.visit(await proxy.listen(), 'panel', play, { slowdown: 1, mayLog: true });
    } finally {
      proxy.close();
      await gateway.stop();
    }
  }

  /** Returns what has passed for these purposes, by default for all, since the last measurement began. */
  count(what: string, ...purposes: readonly Purpose[]): Row {
    return { what, ...this.#proxy.counts(...purposes) };
  }

  /** Begins a measurement. */
  reset(): void {
    this.#proxy.reset();
  }

  /** Counts what passes in a minute. */
  async minute(what = ''): Promise<Row> {
    this.reset();
    await new Promise((resolve) => setTimeout(resolve, 60_000));
    return this.count(what);
  }

  /**
   * Counts what an act causes.
   *
   * @param purpose of what it causes at least; without it, maybe nothing
   */
  async event(what: string, act: () => unknown, purpose?: Purpose): Promise<Row> {
    this.reset();
    await act();
    if (purpose) await until(() => this.#proxy.counts(purpose).toPanel > 0, what, PATIENCE);
    await this.#quiet();
    return this.count(what);
  }

  /** Replaces the gateway, and counts until the panel is connected to the new one. */
  async restart(what: string): Promise<Row> {
    this.reset();
    await this.gateway.stop();
    await this.gateway.start();
    await this.connected();
    return this.count(what);
  }

  /** Waits until pushes come by WebSocket, and nothing passes any more. */
  async connected(): Promise<void> {
    await until(() => this.gateway.hasWebSocket, 'a WebSocket', PATIENCE);
    await this.#quiet();
  }

  /** Shows the page, or hides it as a tab in the background is. */
  async setHidden(isHidden: boolean): Promise<void> {
    const { devtools, page } = this.visit;
    const { windowId } = await devtools.send('Browser.getWindowForTarget');
    const bounds = { windowState: isHidden ? 'minimized' : 'normal' } as const;
    await devtools.send('Browser.setWindowBounds', { windowId, bounds });
    // By intervals: a hidden page has no frames.
    await page.waitForFunction((expected) => document.hidden === expected, { polling: 100 }, isHidden);
  }

  async #quiet(): Promise<void> {
    const begun = performance.now();
    const isQuiet = () => performance.now() - Math.max(begun, this.#proxy.lastByte) > QUIET;
    await until(isQuiet, 'nothing to pass', PATIENCE);
  }
}
