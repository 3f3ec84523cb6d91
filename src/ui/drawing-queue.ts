/** Draws what is costly after the screen has been painted: one drawing per frame, the nearest to the screen's middle first. */
export class DrawingQueue {
  readonly #waiting = new Map<Element, () => void>();
  #whenEmpty: (() => void) | undefined;
  #isRunning = false;

  /** Returns the function that takes the drawing back. */
  add(element: Element, draw: () => void): () => void {
    this.#waiting.set(element, draw);
    this.#run();
    return () => this.#waiting.delete(element);
  }

  /** Calls back once, as soon as nothing waits to be drawn. */
  whenEmpty(done: () => void): void {
    this.#whenEmpty = done;
    this.#run();
  }

  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    afterPaint(this.#next);
  }

  readonly #next = (): void => {
    this.#isRunning = false;
    const [nearest] = [...this.#waiting.keys()].sort((one, other) => fromMiddle(one) - fromMiddle(other));
    const work = nearest ? this.#waiting.get(nearest) : this.#whenEmpty;
    if (nearest) this.#waiting.delete(nearest);
    else this.#whenEmpty = undefined;
    if (this.#waiting.size > 0 || this.#whenEmpty) this.#run();
    work?.();
  };
}

/** Pixels from the middle of the screen. Right after a frame it costs no layout. */
function fromMiddle(element: Element): number {
  const { top, bottom } = element.getBoundingClientRect();
  return Math.abs((top + bottom - innerHeight) / 2);
}

/** Runs work after the next paint. */
export function afterPaint(work: () => void): void {
  // A page in the background draws no frame.
  if (document.hidden) setTimeout(work);
  else requestAnimationFrame(() => setTimeout(work));
}
