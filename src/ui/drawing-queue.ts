/** Draws what is costly after the screen has been painted: one drawing per frame, the one nearest to the middle of the screen first. */
export class DrawingQueue {
  readonly #waiting = new Map<Element, () => void>();
  #whenEmpty = () => {};

  /** Returns the function that takes the drawing back. */
  add(element: Element, draw: () => void): () => void {
    if (this.#waiting.size === 0) afterPaint(this.#next);
    this.#waiting.set(element, draw);
    return () => this.#waiting.delete(element);
  }

  /** Calls back once nothing waits to be drawn. */
  whenEmpty(done: () => void): void {
    this.#whenEmpty = done;
    afterPaint(this.#next);
  }

  readonly #next = (): void => {
    const [nearest] = [...this.#waiting.keys()].sort((one, other) => fromMiddle(one) - fromMiddle(other));
    const draw = nearest && this.#waiting.get(nearest);
    if (draw) {
      this.#waiting.delete(nearest);
      draw();
      afterPaint(this.#next);
    } else this.#whenEmpty();
  };
}

/** Pixels from the middle of the screen. Right after a frame it costs no layout. */
function fromMiddle(element: Element): number {
  const { top, bottom } = element.getBoundingClientRect();
  return Math.abs((top + bottom - innerHeight) / 2);
}

/** Does something once the screen has been painted. */
export function afterPaint(work: () => void): void {
  // A page in the background draws no frame.
  if (document.hidden) setTimeout(work);
  else requestAnimationFrame(() => setTimeout(work));
}
