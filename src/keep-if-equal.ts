/** Returns the old object where the new one has the same fields: React compares by identity. */
export function keepIfEqual<T extends object>(old: T | undefined, value: T): T {
  return old && (old === value || haveEqualFields(old, value)) ? old : value;
}

function haveEqualFields(one: object, other: object): boolean {
  const fields = Object.entries(one);
  return (
    fields.length === Object.keys(other).length &&
    fields.every(([name, value]) => Reflect.get(other, name) === value)
  );
}
