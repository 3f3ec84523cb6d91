declare global {
  /** Moves the clock by this many milliseconds, back if negative. */
  var jump: (ms: number) => void;
}

/**
 * Replaces the time of `Date`, which `jump` moves. It runs in the gateway's process, and alone in a page: so it may use
 * nothing from outside, and only methods, since tsx wraps named functions in a helper that a page lacks.
 *
 * @param beginning initial time, in milliseconds since 1970
 */
export function fakeClock(beginning: number): void {
  const { now } = Date;
  let shift = beginning - now();
  globalThis.jump = (ms) => {
    shift += ms;
  };
  globalThis.Date = new Proxy(Date, {
    apply() {
      return new Date().toString();
    },
    construct(target, args, newTarget) {
      return Reflect.construct(target, args.length > 0 ? args : [now() + shift], newTarget);
    },
    get(target, name) {
      return name === 'now' ? () => now() + shift : Reflect.get(target, name);
    },
  });
}
