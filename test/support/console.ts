const original = console.error;
let lines: string[] = [];

/** Keeps console.error quiet until the end of the test; gives a function that tells what it was called with. */
export function consoleErrors(): () => readonly string[] {
  lines = [];
  console.error = (...args: unknown[]) => lines.push(args.map(String).join(' '));
  return () => lines;
}

afterEach(() => {
  console.error = original;
});
