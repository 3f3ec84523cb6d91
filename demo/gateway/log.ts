/**
 * Tells whoever runs the gateway what kind of thing broke, and where. Its message is left out: Node and others
 * quote there what they could not read, and that may be somebody's message, a code to scan, or a key.
 */
export function logFailure(error: unknown): void {
  console.error(placeOf(error));
}

/** What kind of thing broke, and the places that led there. */
export function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return `Something threw a ${typeof error}`;
  const code = 'code' in error ? ` ${error.code}` : '';
  const { name, message, stack = '' } = error;
  const start = stack.indexOf(message) + message.length;
  const frames = stack
    .slice(start)
    .split('\n')
    .filter((line) => line.startsWith('    at '));
  return [name + code, ...frames].join('\n');
}
