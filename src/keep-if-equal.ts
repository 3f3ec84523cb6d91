/** The old value where the new one says the same: its identity is what tells the view that nothing changed. */
export function unlessNew<T extends object>(old: T | undefined, value: T): T {
  return old && sameFields(old, value) ? old : value;
}

function sameFields(one: object, other: object): boolean {
  const fields = Object.entries(one);
  return (
    fields.length === Object.keys(other).length &&
    fields.every(([name, value]) => Reflect.get(other, name) === value)
  );
}
