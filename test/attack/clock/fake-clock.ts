declare global {
  /** Puts the clock ahead by so many milliseconds, or back by a negative number of them. */
  var jump: (ms: number) => void;
}

/**
 * Has `Date` tell another time from now on, and jump by `jump`. It runs in the gateway's process, and in a page by
 * itself: it may use nothing from outside, and only methods, since tsx gives named functions a helper that is missing
 * there.
 * @param beginning of the clock, in milliseconds since 1970
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
