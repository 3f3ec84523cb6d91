import { Listeners } from '../observable.ts';

/** Returns a function that adds a listener: one timer calls all of them, and there is none without a listener. */
function createClock(periodMs: number) {
  const listeners = new Listeners();
  let timer: ReturnType<typeof setInterval> | undefined;
  return (listener: () => void): (() => void) => {
    timer ??= setInterval(() => listeners.call(), periodMs);
    const remove = listeners.add(listener);
    return () => {
      remove();
      if (!listeners.empty) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
}

/**
 * For what counts in seconds. Timers for the moments alone would not do: they stop while a computer sleeps, and a code must
 * not look fresh when it wakes up.
 */
export const seconds = createClock(500);

/** For what counts in minutes. */
export const minutes = createClock(15_000);

/** Calls back when a moment has come: one moment for each numero. */
export function createTimers(due: (numero: string) => void) {
  const moments = new Map<string, number>();
  let stop: (() => void) | undefined;
  let latest = 0;
  let isClosed = false;

  function check(): void {
    const now = Date.now();
    // Time that was set back would postpone every moment.
    const isSetBack = now < latest;
    latest = now;
    for (const [numero, moment] of moments) if (isSetBack || moment <= now) due(numero);
  }

  /** It is on the clock only while there is a moment to wait for. */
  function update(): void {
    // The time may be set ahead and back between two checks.
    latest = Math.max(latest, Date.now());
    if (moments.size > 0 && !isClosed) stop ??= seconds(check);
    else {
      stop?.();
      stop = undefined;
    }
  }

  return {
    /** Sets the moment of a numero, in milliseconds since 1970, or removes it. */
    set(numero: string, moment: number | undefined): void {
      if (moment === undefined) moments.delete(numero);
      else moments.set(numero, moment);
      update();
    },

    close(): void {
      isClosed = true;
      update();
    },
  };
}
