/**
 * What a script leaves running on the page. To be imported before that script, which may keep the page's functions as they
 * are when it is loaded.
 */

/** What runs or listens now: a name, and the stack of the call that began it. */
const running = new Map<unknown, string>();

function begin(key: unknown, name: string): void {
  running.set(key, `${name}\n${new Error().stack}`);
}

/** The timers, and the listeners of what outlives an element, that a script of this address has not ended. */
export function leftoversOf(script: string): string[] {
  return [...running.values()].filter((beginning) => beginning.includes(script));
}

window.setTimeout = new Proxy(window.setTimeout, {
  apply(set, _self, [handler, ms, ...args]) {
    const fire = () => {
      running.delete(id);
      handler(...args);
    };
    const id = Reflect.apply(set, window, [fire, ms]);
    begin(id, `setTimeout ${ms}`);
    return id;
  },
});

window.setInterval = new Proxy(window.setInterval, {
  apply(set, _self, args) {
    const id = Reflect.apply(set, window, args);
    begin(id, `setInterval ${args[1]}`);
    return id;
  },
});

// Timeouts and intervals share their ids: either function clears both.
for (const name of ['clearTimeout', 'clearInterval'] as const) {
  window[name] = new Proxy(window[name], {
    apply(clear, _self, args) {
      running.delete(args[0]);
      Reflect.apply(clear, window, args);
    },
  });
}

const ids = new WeakMap<object, number>();
let lastId = 0;
function idOf(object: object): number {
  const id = ids.get(object) ?? ++lastId;
  ids.set(object, id);
  return id;
}

/** Names a listener as the browser tells listeners apart; nothing where the target goes with the panel. */
function nameOf(target: unknown, [type, listener, options]: readonly unknown[]): string | undefined {
  const outlives =
    target === window || [Document, MediaQueryList, VisualViewport].some((kind) => target instanceof kind);
  if (!outlives || !(target instanceof EventTarget) || !listener) return undefined;
  const capture = typeof options === 'object' ? options && 'capture' in options && options.capture : options;
  return `${target.constructor.name} ${idOf(target)} ${type} ${Boolean(capture)} ${idOf(Object(listener))}`;
}

const { addEventListener, removeEventListener } = EventTarget.prototype;

EventTarget.prototype.addEventListener = function (...args: Parameters<typeof addEventListener>) {
  Reflect.apply(addEventListener, this, args);
  const name = nameOf(this, args);
  const [type, , options] = args;
  if (name === undefined) return;
  begin(name, name);
  if (typeof options !== 'object') return;
  const end = () => running.delete(name);
  if (options.once) Reflect.apply(addEventListener, this, [type, end, options]);
  if (options.signal) Reflect.apply(addEventListener, options.signal, ['abort', end]);
};

EventTarget.prototype.removeEventListener = function (...args: Parameters<typeof removeEventListener>) {
  Reflect.apply(removeEventListener, this, args);
  running.delete(nameOf(this, args));
};
