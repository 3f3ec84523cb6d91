/** Draws what is costly after the screen has been painted: one drawing per frame, the nearest to the screen's middle first. */
export class DrawingQueue {
  readonly #waiting = new Map<Element | undefined, () => void>();
  #isRunning = false;

  /**
   * Returns the function that takes the drawing back.
   *
   * @param element - undefined for what comes after all drawings
   */
  add(element: Element | undefined, draw: () => void): () => void {
    this.#waiting.set(element, draw);
    this.#run();
    return () => this.#waiting.delete(element);
  }

  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    afterPaint(this.#next);
  }

  readonly #next = (): void => {
    this.#isRunning = false;
    const [next] = [...this.#waiting].sort(([one], [other]) => fromMiddle(one) - fromMiddle(other));
    if (!next) return;
    const [element, draw] = next;
    this.#waiting.delete(element);
    if (this.#waiting.size > 0) this.#run();
    draw();
  };
}

/** Pixels from the middle of the screen. Right after a frame it costs no layout. */
function fromMiddle(element: Element | undefined): number {
  if (!element) return Infinity;
  const { top, bottom } = element.getBoundingClientRect();
  return Math.abs((top + bottom - innerHeight) / 2);
}

export function afterPaint(work: () => void): void {
  // A page in the background draws no frame.
  if (document.hidden) setTimeout(work);
  else requestAnimationFrame(() => setTimeout(work));
}
