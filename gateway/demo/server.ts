import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** How a gateway's process is: it starts, serves, ends after SIGTERM, or is gone. */
export type Phase = 'starting' | 'up' | 'stopping' | 'down';

/** Why a process is gone. */
export type End = 'killed' | 'stopped' | 'failed';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** One of the gateways: a process that can be ended and started again. */
export class Server {
  readonly name: string;
  readonly #command: Command;
  readonly #changed: () => void;
  /** The addresses of all its processes so far. */
  readonly #urls = new Set<string>();
  #process: ChildProcess | undefined;
  #url: string | undefined;
  #phase: Phase = 'down';
  #end: End | undefined;

  constructor(name: string, command: Command, changed: () => void) {
    this.name = name;
    this.#command = command;
    this.#changed = changed;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Why it is down; undefined while it is not. */
  get end(): End | undefined {
    return this.#end;
  }

  /** Its address while it takes requests. */
  get url(): string | undefined {
    return this.#phase === 'up' ? this.#url : undefined;
  }

  get pid(): number | undefined {
    return this.#phase === 'down' ? undefined : this.#process?.pid;
  }

  /** Whether a process of it, this one or one before, had this address. */
  had(url: string): boolean {
    return this.#urls.has(url);
  }

  /** Whether its running process has this address. */
  has(url: string): boolean {
    return this.#phase !== 'down' && this.#url === url;
  }

  /** Starts the process; resolves when it listens, or has ended. */
  async start(): Promise<void> {
    if (this.#phase !== 'down') return;
    const { program, args, env } = this.#command;
    const child = spawn(program, [...args], {
      env,
      // In a group of its own: Ctrl-C must not end it before the proxy.
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#process = child;
    this.#url = undefined;
    this.#end = undefined;
    this.#become('starting');
    const gone = new Promise<void>((resolve) => {
      child.once('exit', () => {
        this.#end ??= 'failed';
        this.#become('down');
        resolve();
      });
    });
    const listens = once(createInterface(child.stdout), 'line').then(([line]: string[]) => {
      const url = /^http:\/\/\S+/.exec(line ?? '')?.[0];
      if (url === undefined || this.#phase !== 'starting') return;
      this.#url = new URL(url).origin;
      this.#urls.add(this.#url);
      this.#become('up');
    });
    await Promise.race([listens, gone]);
  }

  /** Ends the process as a crash would. */
  kill(): void {
    this.#signal('SIGKILL', 'killed');
  }

  /** Lets the process finish what it does. */
  stop(): void {
    if (this.#phase !== 'up' && this.#phase !== 'starting') return;
    this.#signal('SIGTERM', 'stopped');
    this.#become('stopping');
  }

  #signal(signal: NodeJS.Signals, end: End): void {
    if (this.#phase === 'down') return;
    this.#end = end;
    this.#process?.kill(signal);
  }

  #become(phase: Phase): void {
    this.#phase = phase;
    this.#changed();
  }
}
