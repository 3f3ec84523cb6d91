import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What a child process can be asked to do, by name: at most one argument, and an answer. */
type Calls = Record<string, (argument: never) => unknown>;

interface Question {
  readonly name: string;
  readonly argument: unknown;
}

interface Answer {
  readonly value?: unknown;
  readonly failure?: string;
}

/** In the child process: does what its parent asks for, one thing after the other. */
export function answerParent(calls: Calls): void {
  process.on('message', async ({ name, argument }: Question) => {
    let answer: Answer;
    try {
      answer = { value: await calls[name]?.(argument as never) };
    } catch (error) {
      answer = { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
    process.send?.(answer);
  });
  process.on('disconnect', () => process.exit());
}

/** A child process that does what `C` names. */
export class Child<C extends Calls> {
  readonly #process: ChildProcess;

  constructor(module: URL, nodeOptions: readonly string[] = []) {
    this.#process = fork(fileURLToPath(module), {
      execArgv: ['--import', 'tsx', ...nodeOptions],
      // Arrays of numbers go over as such.
      serialization: 'advanced',
    });
  }

  /** Asks for one thing; nothing else may be asked of this child until the answer is there. */
  async ask<N extends keyof C & string>(
    name: N,
    ...[argument]: Parameters<C[N]>
  ): Promise<Awaited<ReturnType<C[N]>>> {
    const ended = new AbortController();
    const exit = once(this.#process, 'exit', ended).then(() => {
      throw new Error(`The process ended before it answered '${name}'`);
    });
    const question: Question = { name, argument };
    this.#process.send(question);
    try {
      // The other end is typed by the same `C`.
      const [answer] = (await Promise.race([once(this.#process, 'message', ended), exit])) as [Answer];
      if (answer.failure !== undefined) throw new Error(answer.failure);
      return answer.value as Awaited<ReturnType<C[N]>>;
    } finally {
      exit.catch(() => {});
      ended.abort();
    }
  }

  /** Lets it go: it ends by itself. */
  leave(): void {
    if (this.#process.connected) this.#process.disconnect();
  }

  /** Ends it as a crash would, or so that it can still write its profile. */
  async end(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = once(this.#process, 'exit');
    this.#process.kill(signal);
    await gone;
  }
}
