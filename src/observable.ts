import { log } from './log.ts';

export class Listeners<Args extends unknown[] = []> {
  readonly #all = new Set<(...args: Args) => void>();

  /** Returns the function that removes the listener. */
  add(listener: (...args: Args) => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  get empty(): boolean {
    return this.#all.size === 0;
  }

  clear(): void {
    this.#all.clear();
  }

  call(...args: Args): void {
    for (const listener of this.#all) listener(...args);
  }
}

/** A value that changes as a whole, in the shape that React's `useSyncExternalStore` takes. */
export class Observable<Value> {
  readonly #listeners = new Listeners();
  #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  readonly get = (): Value => this.#value;

  /** Calls the listener after each change; returns the function that stops it. */
  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  set(value: Value): void {
    if (value === this.#value) return;
    this.#value = value;
    this.#listeners.call();
  }
}

export type ObservableMap<Value extends object> = ReturnType<typeof createObservableMap<Value>>;

/** Values by key, each observed by itself: a change costs the same however many keys there are. */
export function createObservableMap<Value extends object>(byDefault: Value) {
  const values = new Map<string, Value>();
  /** Arrays: most keys have one listener, and a set for each of thousands would take a megabyte. */
  const listeners = new Map<string, readonly (() => void)[]>();

  const get = (key: string): Value => values.get(key) ?? byDefault;

  function call(key: string): void {
    for (const listener of listeners.get(key) ?? []) {
      try {
        listener();
      } catch (error) {
        // The others still have to be notified.
        log(error);
      }
    }
  }

  return {
    get,
    call,

    callAll(): void {
      for (const key of listeners.keys()) call(key);
    },

    /** Calls the listener after each change of this key's value; returns the function that stops it. */
    subscribe(key: string, listener: () => void): () => void {
      listeners.set(key, [...(listeners.get(key) ?? []), listener]);
      return () => {
        const others = listeners.get(key)?.filter((other) => other !== listener) ?? [];
        if (others.length > 0) listeners.set(key, others);
        else listeners.delete(key);
      };
    },

    update(key: string, change: Partial<Value>): void {
      values.set(key, { ...get(key), ...change });
      call(key);
    },

    delete(key: string): void {
      values.delete(key);
      call(key);
    },
  };
}

/**
 * Collects items until its work is done with all of them at once.
 *
 * @param wait - is called with the first item, and runs the work when it is time; returns the timer, where there is one
 */
export function batch<Item = void>(
  wait: (run: () => void) => ReturnType<typeof setTimeout> | undefined,
  work: (items: ReadonlySet<Item>) => void,
) {
  const items = new Set<Item>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function run(): void {
    // What the work adds is for the next time.
    const due = new Set(items);
    items.clear();
    work(due);
  }

  return {
    isWaiting: (): boolean => items.size > 0,
    add(item: Item): void {
      const isFirst = items.size === 0;
      items.add(item);
      if (isFirst) timer = wait(run);
    },
    /** Forgets all items, and no longer waits. */
    cancel(): void {
      items.clear();
      clearTimeout(timer);
    },
  };
}

/**
 * Creates a `wait` for a {@link batch} of what is shown: its work is done once a frame at most, so that a storm of changes costs
 * a fraction of what it would one by one.
 */
export function onceAFrame() {
  let awaitsFrame = false;
  return (run: () => void): undefined => {
    // A page in the background draws no frame.
    if (document.hidden) setTimeout(run);
    // The first change makes it into the next frame, however long that takes to draw; those after it wait for that frame.
    else if (awaitsFrame) requestAnimationFrame(run);
    else {
      awaitsFrame = true;
      requestAnimationFrame(() => {
        awaitsFrame = false;
      });
      queueMicrotask(run);
    }
  };
}

/** Returns the old object where the new one has the same fields: React compares by identity. */
export function keepIfEqual<T extends object>(old: T | undefined, value: T): T {
  return old && (old === value || (hasFieldsOf(old, value) && hasFieldsOf(value, old))) ? old : value;
}

/** A field that is undefined is as one that is not there. */
function hasFieldsOf(one: object, other: object): boolean {
  return Object.keys(other).every((name) => Reflect.get(one, name) === Reflect.get(other, name));
}
