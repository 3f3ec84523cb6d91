/** Resolves after all callbacks of this turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

interface Ends<T> {
  /** The result if the connection ends first. */
  readonly gone: () => T | Promise<T>;
  /** The result if the deadline comes first. */
  readonly late: () => T | Promise<T>;
}

/** Settles as a task on a connection does, unless the connection or the time ends first. */
export function whileOpen<T>(
  { gone }: { readonly gone: Promise<void> },
  deadline: AbortSignal,
  task: Promise<T>,
  ends: Ends<T>,
): Promise<T> {
  return Promise.race([
    task,
    // What the end of the connection settles is more precise, and settles in the same turn.
    gone.then(nextTurn).then(ends.gone),
    aborted(deadline).then(ends.late),
  ]);
}
