/** Returns the old object where the new one has the same fields: React compares by identity. */
export function keepIfEqual<T extends object>(old: T | undefined, value: T): T {
  return old && (old === value || (hasFieldsOf(old, value) && hasFieldsOf(value, old))) ? old : value;
}

/** A field that is undefined is as one that is not there. */
function hasFieldsOf(one: object, other: object): boolean {
  return Object.keys(other).every((name) => Reflect.get(one, name) === Reflect.get(other, name));
}
