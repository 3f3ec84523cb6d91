const original = console.error;
let lines: string[] = [];

/** Silences console.error until the end of the test; returns a function that gives the lines so far. */
export function consoleErrors(): () => readonly string[] {
  lines = [];
  console.error = (...args: unknown[]) => lines.push(args.map(String).join(' '));
  return () => lines;
}

afterEach(() => {
  console.error = original;
});
