import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

type Child = ChildProcess & { readonly stdout: Readable };

/** A browser driven by W3C WebDriver, with its driver and its screen. */
export class WebDriver {
  readonly #processes: readonly ChildProcess[];
  readonly #address: string;

  private constructor(processes: readonly ChildProcess[], address: string) {
    this.#processes = processes;
    this.#address = address;
  }

  /** @param driver the path of a WebKitWebDriver */
  static async start(driver: string): Promise<WebDriver> {
    const screen = process.env.DISPLAY ? undefined : spawnScreen();
    const display = screen ? `:${await firstLine(screen)}` : process.env.DISPLAY;
    const port = 20_000 + (process.pid % 10_000);
    const env = {
      DISPLAY: display,
      GDK_BACKEND: 'x11',
      // At two pixels for one, codes can be read from the screen.
      GDK_SCALE: '2',
      // Where there is no GPU, its buffers are copied once more: a quarter of WebKit's processor time.
      WEBKIT_DISABLE_DMABUF_RENDERER: '1',
    };
    const child = spawn(driver, [`--port=${port}`], { env: { ...process.env, ...env }, stdio: 'ignore' });
    const processes = screen ? [child, screen] : [child];
    const origin = `http://127.0.0.1:${port}`;
    while (!(await answers(`${origin}/status`))) {
      if (hasEnded(child)) throw new Error(`${driver} ended with ${child.exitCode ?? child.signalCode}`);
      await sleep(50);
    }
    const { sessionId } = await call<{ sessionId: string }>('POST', `${origin}/session`, {
      capabilities: { alwaysMatch: { browserName: 'MiniBrowser' } },
    });
    return new WebDriver(processes, `${origin}/session/${sessionId}`);
  }

  /** Sends a command of the session; rejects with the driver's message. */
  send<T = unknown>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T> {
    return call<T>(method, this.#address + path, body);
  }

  async stop(): Promise<void> {
    // The browser would outlive its driver otherwise.
    await this.send('DELETE', '').catch(() => {});
    for (const child of this.#processes) {
      if (hasEnded(child)) continue;
      const exit = once(child, 'exit');
      child.kill();
      await exit;
    }
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Starts a virtual screen, which prints its number. */
function spawnScreen(): Child {
  return spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '2800x2200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

async function firstLine({ stdout }: Child): Promise<string> {
  const [line] = await once(createInterface(stdout), 'line');
  return String(line);
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function call<T>(method: string, url: string, body?: object): Promise<T> {
  const answer = await fetch(url, {
    method,
    body: method === 'POST' ? JSON.stringify(body ?? {}) : undefined,
  });
  const { value } = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${url}: ${value.message || value.error}`);
  return value;
}
