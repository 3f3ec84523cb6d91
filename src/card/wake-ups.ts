/** Milliseconds in which the changes of cards out of sight are gathered: on an old PC each rendering costs a frame. */
const GATHERING_MS = 100;

/**
 * Components that are to render again, each once however often it is asked for, and all that wait as one rendering:
 * those in sight when the browser draws its next frame, which shows nothing later than it would have been, and those out
 * of sight a few times a second. A storm of pushes costs a fraction of what it would, push by push.
 */
class WakeUps {
  readonly #due = new Set<() => void>();
  readonly #soon: (wakeAll: () => void) => void;

  constructor(soon: (wakeAll: () => void) => void) {
    this.#soon = soon;
  }

  add(wake: () => void): void {
    if (this.#due.size === 0) this.#soon(this.#wakeAll);
    this.#due.add(wake);
  }

  delete(wake: () => void): void {
    this.#due.delete(wake);
  }

  readonly #wakeAll = () => {
    const due = [...this.#due];
    this.#due.clear();
    for (const wake of due) wake();
  };
}

let awaitsFrame = false;

/** What comes first is in the next frame, however long its drawing takes; what comes until then waits for that frame. */
export const inSight = new WakeUps((wakeAll) => {
  // A page in the background draws no frame.
  if (document.hidden) setTimeout(wakeAll);
  else if (awaitsFrame) requestAnimationFrame(wakeAll);
  else {
    awaitsFrame = true;
    requestAnimationFrame(() => {
      awaitsFrame = false;
    });
    queueMicrotask(wakeAll);
  }
});

export const outOfSight = new WakeUps((wakeAll) => setTimeout(wakeAll, GATHERING_MS));
