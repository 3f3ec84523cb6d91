/**
 * Logs what kind of error occurred, and where. Never its message: Node and others quote input there, which may be a
 * message, a code or a key.
 */
export function logFailure(error: unknown): void {
  console.error(placeOf(error));
}

/** Returns the error's name, code and stack frames, without its message. */
export function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return `A ${typeof error} was thrown`;
  const code = 'code' in error ? ` ${error.code}` : '';
  const { name, message, stack = '' } = error;
  const start = stack.indexOf(message) + message.length;
  const frames = stack
    .slice(start)
    .split('\n')
    .filter((line) => line.startsWith('    at '));
  return [name + code, ...frames].join('\n');
}
