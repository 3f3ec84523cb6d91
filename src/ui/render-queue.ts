/** Milliseconds for which renderings of cards off the screen are collected: on an old PC each one costs a frame. */
const BATCH_MS = 100;

/**
 * Collects the renderings that pushes ask for: each component renders once however often it is asked to, and all that
 * wait render together. What is on the screen renders with the next frame, the rest a few times a second. A storm of
 * pushes costs a fraction of what it would push by push.
 */
export class RenderQueue {
  readonly #offScreen = new Set<string>();
  readonly #onScreenBatch = new Batch((run) => this.#atNextFrame(run));
  readonly #offScreenBatch = new Batch((run) => setTimeout(run, BATCH_MS));
  #awaitsFrame = false;

  /** Tells whether the browser renders the card of a session. */
  setOffScreen(numero: string, offScreen: boolean): void {
    if (offScreen) this.#offScreen.add(numero);
    else this.#offScreen.delete(numero);
  }

  /**
   * Asks for the rendering of a component.
   * @param card - the numero of the card that it is on; undefined where it is always on the screen
   */
  add(render: () => void, card: string | undefined): void {
    const isOffScreen = card !== undefined && this.#offScreen.has(card);
    (isOffScreen ? this.#offScreenBatch : this.#onScreenBatch).add(render);
  }

  delete(render: () => void): void {
    this.#onScreenBatch.delete(render);
    this.#offScreenBatch.delete(render);
  }

  /** The first one makes it into the next frame, however long that takes to draw; those after it wait for that frame. */
  #atNextFrame(run: () => void): void {
    // A page in the background draws no frame.
    if (document.hidden) setTimeout(run);
    else if (this.#awaitsFrame) requestAnimationFrame(run);
    else {
      this.#awaitsFrame = true;
      requestAnimationFrame(() => {
        this.#awaitsFrame = false;
      });
      queueMicrotask(run);
    }
  }
}

class Batch {
  readonly #due = new Set<() => void>();
  readonly #schedule: (run: () => void) => void;

  constructor(schedule: (run: () => void) => void) {
    this.#schedule = schedule;
  }

  add(render: () => void): void {
    if (this.#due.size === 0) this.#schedule(this.#run);
    this.#due.add(render);
  }

  delete(render: () => void): void {
    this.#due.delete(render);
  }

  readonly #run = () => {
    const due = [...this.#due];
    this.#due.clear();
    for (const render of due) {
      try {
        render();
      } catch (error) {
        // The others still have to render.
        console.error('whatsapp-operadores:', error);
      }
    }
  };
}
