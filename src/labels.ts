/** The property `labels`: the names that the host page gives the sessions. */
import { log } from './log.ts';
import { readField, readText } from './server/fields.ts';
import type { Names, Naming } from './session/session.ts';

/** By numero. An empty text is no name; where a name is absent, the server's is shown. Names are cut at 60 characters. */
export type Labels = Readonly<Record<string, Naming>>;

/**
 * Validates the property. Invalid names are left out, and logged; undefined where there is nothing to use.
 * @throws where the page's code throws when the object is read; a single session that throws is invalid.
 */
export function parseLabels(labels: unknown): Names | undefined {
  if (labels === undefined) return undefined;
  // A Map, a list or a promise has no names by numero.
  const kind = Object.prototype.toString.call(labels);
  const isUsed = kind === '[object Object]';
  const names = new Map<string, Naming>();
  const invalid: string[] = isUsed ? [] : [kind];
  for (const numero of isUsed ? Object.keys(Object(labels)) : []) {
    try {
      const naming = readField(labels, numero);
      const fields = [readField(naming, 'label') ?? '', readField(naming, 'group') ?? ''];
      if (typeof naming !== 'object' || fields.some((field) => typeof field !== 'string'))
        invalid.push(numero);
      names.set(numero, { label: readText(naming, 'label'), group: readText(naming, 'group') });
    } catch {
      invalid.push(numero);
    }
  }
  if (invalid.length > 0) log('labels has invalid names:', ...invalid.slice(0, 10));
  return isUsed ? names : undefined;
}
