import { existsSync } from 'node:fs';

/** The path of the library Prototype, or undefined where there is none; PROTOTYPE_PATH decides. */
export function findPrototype() {
  const path = process.env.PROTOTYPE_PATH ?? '/usr/share/javascript/prototype/prototype.js';
  return existsSync(path) ? path : undefined;
}
